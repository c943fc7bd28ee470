// SPDX-License-Identifier: MIT
#ifndef NDX_TESTS_GOLDEN_ONNX_CASE_HPP
#define NDX_TESTS_GOLDEN_ONNX_CASE_HPP

#include "onnx_tensor.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace golden {

template <class Message>
Message parse(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  Message message;
  if (!file || !message.ParseFromIstream(&file)) throw std::runtime_error("cannot read " + path.string());
  return message;
}

/// One set of inputs and the output due of a model that is a single node.
struct onnx_case {
  std::string name;
  onnx::NodeProto node;
  std::vector<onnx_tensor> inputs;
  onnx_tensor output;

  ndx::index_t integer(std::string const& attribute, ndx::index_t otherwise) const {
    for (onnx::AttributeProto const& a : node.attribute())
      if (a.name() == attribute) return a.i();
    return otherwise;
  }
  std::string text(std::string const& attribute, std::string const& otherwise) const {
    for (onnx::AttributeProto const& a : node.attribute())
      if (a.name() == attribute) return a.s();
    return otherwise;
  }
  /// A case with an attribute that the test does not know would be run wrongly: that must not pass in silence.
  void allow_attributes(std::set<std::string> const& known) const {
    for (onnx::AttributeProto const& a : node.attribute())
      if (!known.contains(a.name())) throw std::runtime_error(name + " has the unknown attribute " + a.name());
  }
};

/// All cases below `folder`, by operator, for models that consist of one node with one of these operators.
inline std::map<std::string, std::vector<onnx_case>> find_cases(std::filesystem::path const& folder,
                                                                std::set<std::string> const& operators) {
  std::map<std::string, std::vector<onnx_case>> found;
  std::vector<std::filesystem::path> models;
  for (auto const& entry : std::filesystem::directory_iterator(folder))
    if (std::filesystem::exists(entry.path() / "model.onnx")) models.push_back(entry.path());
  std::sort(models.begin(), models.end());
  for (auto const& model : models) {
    auto const graph = parse<onnx::ModelProto>(model / "model.onnx").graph();
    if (graph.node_size() != 1 || !operators.contains(graph.node(0).op_type())) continue;
    for (int set = 0; std::filesystem::exists(model / ("test_data_set_" + std::to_string(set))); ++set) {
      auto const data = model / ("test_data_set_" + std::to_string(set));
      std::vector<onnx_tensor> inputs;
      for (int i = 0; i < graph.node(0).input_size(); ++i)
        inputs.emplace_back(parse<onnx::TensorProto>(data / ("input_" + std::to_string(i) + ".pb")));
      found[graph.node(0).op_type()].push_back({model.filename().string(), graph.node(0), std::move(inputs),
                                                onnx_tensor(parse<onnx::TensorProto>(data / "output_0.pb"))});
    }
  }
  return found;
}

}  // namespace golden

#endif
