#define NDX_CPU_TUNABLE inline
#include <ndx/ndx.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>
#include <algorithm>
#include <functional>
#include <cstring>
using clk=std::chrono::steady_clock; using namespace ndx;
template<class P> void run(P const& simd){ std::mt19937_64 g(1);
 for(long S:{512L,768L,1024L,1448L,2048L,4096L}) for(int pat:{0,1,2,3}) for(int kd:{8,4,2,1}){ long K=S/kd; if(S==4096&&kd<4) continue;
  std::vector<float> a(S*S,1),out(S*S,1),up(S*K,1); std::vector<int64_t> ix(S*K);
  const int near[4]={0,8,3,1}; long touches=0;
  for(long r=0;r<K;r++){ long row=0; for(long c=0;c<S;c++){ if(pat&&c%64==0) row=g()%S; ix[r*S+c]=pat==0?(long)(g()%S):(row+(long)(g()%near[pat]))%S; }
    std::vector<long> t; for(long c=S/2;c<S/2+16;c++) if(std::find(t.begin(),t.end(),ix[r*S+c])==t.end()) t.push_back(ix[r*S+c]); touches+=t.size(); }
  tensor_view<const float,2> A(a.data(),{S,S}); tensor_view<float,2> O(out.data(),{S,S}); tensor_view<const float,2> U(up.data(),{K,S}); tensor_view<const int64_t,2> I(ix.data(),{K,S});
  auto ip=[&]{scatter_elements(simd,O,I,U,O,{.axis=0,.duplicates=duplicates::last});}; auto cp=[&]{scatter_elements(simd,A,I,U,O,{.axis=0,.duplicates=duplicates::last});};
  std::vector<double> t[4]; long reps=std::max(1L,2000000/(S*K)); 
  for(int r=0;r<9;r++) for(int k=0;k<4;k++){ cpu::tuning::least_striped_rows=k&1?1000000:64; auto t0=clk::now(); for(long q=0;q<reps;q++) if(k<2) ip(); else cp(); t[k].push_back(std::chrono::duration<double,std::micro>(clk::now()-t0).count()/reps); }
  for(auto&x:t) std::sort(x.begin(),x.end());
  printf("S %4ld (%5.2f MiB) near %d K=S/%d touches/S %.2f | in place stripes %8.0f plain %8.0f  stripes/plain %.2f | copy %8.0f %8.0f %.2f\n",S,S*S*4/1048576.0,near[pat],kd,touches/(double)S,t[0][4],t[1][4],t[0][4]/t[1][4],t[2][4],t[3][4],t[2][4]/t[3][4]); fflush(stdout);
 } }

int main(int c,char**v){ if(c>1&&v[1][0]=='2') run(par_simd.threads(2)); else run(simd); }
