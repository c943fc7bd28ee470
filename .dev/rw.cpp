#define NDX_CPU_TUNABLE inline
#include <ndx/ndx.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>
#include <algorithm>
using clk=std::chrono::steady_clock; using namespace ndx;
template<class P> void run(const char*n,P const&pol){ std::mt19937_64 g(1);
 for(long S:{256L,512L,1024L,2048L,2896L,3500L,4096L}) for(int kd:{16,4,1}){ long K=S/kd;
  std::vector<float> a(S*S,1),out(S*S,1),up(S*K,1); std::vector<int64_t> ix(S*K); for(auto&x:ix) x=g()%S;
  tensor_view<const float,2> A(a.data(),{S,S}); tensor_view<float,2> O(out.data(),{S,S}); tensor_view<const float,2> U(up.data(),{S,K}); tensor_view<const int64_t,2> I(ix.data(),{S,K});
  auto cp=[&](auto const&p){scatter_elements(p,A,I,U,O,{.axis=1,.duplicates=duplicates::last});};
  std::vector<double> t[3]; long reps=std::max(1L,1000000/(S*S));
  for(int r=0;r<11;r++) for(int k=0;k<3;k++){ cpu::tuning::least_copied_row_bytes=k==1?1000000:512; auto t0=clk::now(); for(long q=0;q<reps;q++) if(k<2) cp(pol); else cp(pol.stores(stores::streaming)); t[k].push_back(std::chrono::duration<double,std::micro>(clk::now()-t0).count()/reps); }
  for(auto&x:t) std::sort(x.begin(),x.end());
  printf("%s S %4ld (%5.2f MiB) K=S/%d rows %8.0f plain %8.0f rows streamed %8.0f | rows/plain %.2f streamed/plain %.2f\n",n,S,S*S*4/1048576.0,kd,t[0][5],t[1][5],t[2][5],t[0][5]/t[1][5],t[2][5]/t[1][5]); fflush(stdout); } }
int main(){ run("T1",simd); run("T2",par_simd.threads(2)); }
