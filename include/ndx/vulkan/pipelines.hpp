// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_PIPELINES_HPP
#define NDX_VULKAN_PIPELINES_HPP

#include <ndx/vulkan/context.hpp>
#include <ndx/vulkan/kernels.hpp>
#include <ndx/vulkan/pipeline_cache.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace ndx::vulkan {

/// The pipelines of a device, made when first asked for, and their one layout: set 0 with the storage buffers 0
/// (destination), 1 (source), 2 (indices), 3 (status), 5 (claims) and the uniform buffer 4 (parameters).
class pipelines {
public:
  /// `cache_file` empty: none.
  pipelines(std::shared_ptr<context> of, std::string cache_file)
      : context_(std::move(of)), cache_file_(std::move(cache_file)), owner_{*context_} {
    make_layouts();
    make_cache();
  }

  ~pipelines() { write_cache(); }

  pipelines(pipelines const&) = delete;
  pipelines& operator=(pipelines const&) = delete;

  /// Used from any thread; without a lock where the pipeline is there. It lives as long as this object.
  VkPipeline get(pipeline_key key) {
    key = detail::canonical(key);
    std::atomic<node*>& bucket = buckets_[hash(key)];
    if (VkPipeline const found = find(bucket.load(std::memory_order_acquire), key)) return found;
    std::lock_guard const lock(mutex_);
    node* const first = bucket.load(std::memory_order_relaxed);
    if (VkPipeline const found = find(first, key)) return found;  // another thread was faster
    context_->require("vkCreateComputePipelines");
    auto made = std::make_unique<node>();
    made->key = key;
    made->next = first;
    owner_.nodes.reserve(owner_.nodes.size() + 1);
    VkPipeline const pipeline = made->pipeline = make(key);
    bucket.store(made.get(), std::memory_order_release);
    owner_.nodes.push_back(std::move(made));
    return pipeline;
  }

  [[nodiscard]] VkPipelineLayout layout() const noexcept { return owner_.layout; }
  [[nodiscard]] VkDescriptorSetLayout set_layout() const noexcept { return owner_.set_layout; }

  /// How many have been made.
  [[nodiscard]] std::size_t count() const {
    std::lock_guard const lock(mutex_);
    return owner_.nodes.size();
  }

private:
  /// A list in each bucket, which only grows, at its front: who reads it needs no lock.
  struct node {
    pipeline_key key;
    VkPipeline pipeline = VK_NULL_HANDLE;
    node* next = nullptr;
  };

  /// What has to be destroyed, also where the constructor fails half way.
  struct handles {
    context& of;
    VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkPipelineCache cache = VK_NULL_HANDLE;
    std::vector<std::unique_ptr<node>> nodes = {};

    ~handles() {
      functions const& call = of.call;
      for (auto const& one : nodes) call.vkDestroyPipeline(of.device, one->pipeline, nullptr);
      if (cache != VK_NULL_HANDLE) call.vkDestroyPipelineCache(of.device, cache, nullptr);
      if (layout != VK_NULL_HANDLE) call.vkDestroyPipelineLayout(of.device, layout, nullptr);
      if (set_layout != VK_NULL_HANDLE) call.vkDestroyDescriptorSetLayout(of.device, set_layout, nullptr);
    }
  };

  static constexpr std::size_t bucket_count = 256;

  static std::size_t hash(pipeline_key const& key) noexcept {
    std::uint32_t const packed =
        static_cast<std::uint32_t>(key.which) | static_cast<std::uint32_t>(key.model) << 4 |
        static_cast<std::uint32_t>(key.wide) << 5 | static_cast<std::uint32_t>(key.native) << 6 |
        static_cast<std::uint32_t>(key.side) << 7 | static_cast<std::uint32_t>(key.element) << 9 |
        static_cast<std::uint32_t>(key.reduction) << 13;
    return (packed * 2654435761u) >> 24;
  }

  static VkPipeline find(node const* list, pipeline_key const& key) noexcept {
    for (; list != nullptr; list = list->next)
      if (list->key == key) return list->pipeline;
    return VK_NULL_HANDLE;
  }

  void make_layouts() {
    functions const& call = context_->call;
    VkDescriptorSetLayoutBinding bindings[6] = {};
    for (std::uint32_t i = 0; i < 6; ++i) {
      bindings[i].binding = i;
      bindings[i].descriptorType = i == 4 ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      bindings[i].descriptorCount = 1;
      bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    }
    VkDescriptorSetLayoutCreateInfo set = {};
    set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    set.bindingCount = 6;
    set.pBindings = bindings;
    context_->report(call.vkCreateDescriptorSetLayout(context_->device, &set, nullptr, &owner_.set_layout),
                     "vkCreateDescriptorSetLayout");
    VkPipelineLayoutCreateInfo all = {};
    all.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    all.setLayoutCount = 1;
    all.pSetLayouts = &owner_.set_layout;
    context_->report(call.vkCreatePipelineLayout(context_->device, &all, nullptr, &owner_.layout),
                     "vkCreatePipelineLayout");
  }

  VkPipeline make(pipeline_key const& key) {
    functions const& call = context_->call;
    detail::spirv_module const text = detail::module_of(key.which, key.model);
    VkShaderModuleCreateInfo module = {};
    module.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    module.codeSize = text.bytes;
    module.pCode = text.words;
    VkPipelineShaderStageCreateInfo stage = {};
    stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    stage.pName = "main";
    context_->report(call.vkCreateShaderModule(context_->device, &module, nullptr, &stage.module),
                     "vkCreateShaderModule");

    std::uint32_t const constants[] = {
        context_->can.workgroup_size, key.side, key.wide ? 1u : 0u, key.element, key.reduction, key.native ? 1u : 0u};
    VkSpecializationMapEntry entries[6];
    for (std::uint32_t i = 0; i < 6; ++i) entries[i] = {i, i * 4, 4};
    VkSpecializationInfo const specialization = {6, entries, sizeof constants, constants};
    stage.pSpecializationInfo = &specialization;
    VkComputePipelineCreateInfo create = {};
    create.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    create.stage = stage;
    create.layout = owner_.layout;
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkResult const result =
        call.vkCreateComputePipelines(context_->device, owner_.cache, 1, &create, nullptr, &pipeline);
    call.vkDestroyShaderModule(context_->device, stage.module, nullptr);
    context_->report(result, "vkCreateComputePipelines");
    return pipeline;
  }

  /// With what the file holds, if it can be used. Without a cache everything works, only slower.
  void make_cache() {
    VkPhysicalDeviceProperties properties = {};
    context_->call.vkGetPhysicalDeviceProperties(context_->physical, &properties);
    std::vector<unsigned char> data;
    if (!cache_file_.empty()) data = detail::read_cache_file(cache_file_, properties);
    VkPipelineCacheCreateInfo create = {};
    create.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
    create.initialDataSize = data.size();
    create.pInitialData = data.empty() ? nullptr : data.data();
    VkResult const result = context_->call.vkCreatePipelineCache(context_->device, &create, nullptr, &owner_.cache);
    context_->note(result);
    if (result < 0) owner_.cache = VK_NULL_HANDLE;
    loaded_ = detail::checksum_of(data);
  }

  /// If there is something new.
  void write_cache() const {
    if (cache_file_.empty() || owner_.nodes.empty() || owner_.cache == VK_NULL_HANDLE || context_->lost()) return;
    functions const& call = context_->call;
    std::size_t size = 0;
    if (call.vkGetPipelineCacheData(context_->device, owner_.cache, &size, nullptr) != VK_SUCCESS || size == 0) return;
    std::vector<unsigned char> data(size);
    if (call.vkGetPipelineCacheData(context_->device, owner_.cache, &size, data.data()) != VK_SUCCESS) return;
    data.resize(size);
    if (detail::checksum_of(data) == loaded_) return;
    detail::write_cache_file(cache_file_, data);
  }

  std::shared_ptr<context> context_;
  std::string cache_file_;
  std::uint64_t loaded_ = 0;  // the checksum of what the file gave
  handles owner_;
  mutable std::mutex mutex_;
  std::atomic<node*> buckets_[bucket_count] = {};
};

}  // namespace ndx::vulkan

#endif
