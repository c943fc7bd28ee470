// SPDX-License-Identifier: MIT
#ifndef NDX_VULKAN_COMMANDS_HPP
#define NDX_VULKAN_COMMANDS_HPP

#include <ndx/vulkan/accesses.hpp>
#include <ndx/vulkan/parameters.hpp>
#include <ndx/vulkan/slots.hpp>
#include <ndx/vulkan/state.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace ndx::vulkan {

/// The buffers of a dispatch; what is left out is something harmless.
struct bindings {
  byte_range destination;
  byte_range source;
  byte_range indices;
  byte_range status;
  byte_range claims;
};

/// Who reads a report block while the commands run: kernels its verdict, or nobody.
enum class report_readers : unsigned char { nobody, kernels };

/// Report blocks of one operation, one after the other; all but the range is for `commands::report_at`.
struct report_place {
  byte_range range;
  report_readers readers = report_readers::nobody;
  std::size_t slab = 0;
  VkDeviceSize offset = 0;
};

/// Writes commands into a command buffer, and keeps what they need: descriptor sets, parameters, reports, scratch.
class commands {
public:
  /// `runs_again`: the buffer may be submitted more than once, so that reports have to be cleared by commands.
  commands(std::shared_ptr<device_state> state, VkCommandBuffer buffer, bool runs_again)
      : state_(std::move(state)), context_(*state_->context), buffer_(buffer), runs_again_(runs_again) {}
  commands(commands const&) = delete;
  commands& operator=(commands const&) = delete;
  ~commands() {
    for (descriptor_block const& block : sets_) state_->descriptors.give_back(block);
  }

  [[nodiscard]] device_state& state() const noexcept { return *state_; }
  [[nodiscard]] capabilities const& can() const noexcept { return context_.can; }

  /// The start of an operation that reads and writes these ranges: a barrier, if it depends on an earlier one.
  void begin(operation_ranges const& ranges) {
    if (runs_again_) bound_ = VK_NULL_HANDLE;  // the command buffer is the application's, which may have bound its own
    own_ = {};
    if (earlier_.forbid(ranges)) barrier();
    earlier_.add(ranges);
    own_ = ranges;
  }

  /// What comes before happens before the kernels that come after, or before these stages. Between the passes of an
  /// operation, what those after it access is still to come for a later operation.
  void barrier(VkPipelineStageFlags after = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) {
    VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_SHADER_WRITE_BIT, 0};
    VkPipelineStageFlags before = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    if (transferred_) {
      memory.srcAccessMask |= VK_ACCESS_TRANSFER_WRITE_BIT;
      before |= VK_PIPELINE_STAGE_TRANSFER_BIT;
    }
    if ((after & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) != 0)
      memory.dstAccessMask |= VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    if ((after & VK_PIPELINE_STAGE_TRANSFER_BIT) != 0)
      memory.dstAccessMask |= VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    if ((after & VK_PIPELINE_STAGE_HOST_BIT) != 0) memory.dstAccessMask |= VK_ACCESS_HOST_READ_BIT;
    context_.call.vkCmdPipelineBarrier(buffer_, before, after, 0, 1, &memory, 0, nullptr, 0, nullptr);
    if ((after & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) == 0) return;  // kernels still have to wait
    transferred_ = false;
    earlier_.clear();
    earlier_.add(own_);
  }
  /// Kernels that come after still wait for what they have to wait for.
  void barrier_to_transfers() { barrier(VK_PIPELINE_STAGE_TRANSFER_BIT); }
  /// The end of a submission: the host, once it knows that the commands are done, and later submissions see what was
  /// written.
  void barrier_to_all() {
    barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT);
  }

  /// `at_once`: how many points an invocation takes at once.
  void dispatch(pipeline_key const& key, bindings const& with, parameters const& values, std::uint32_t points,
                std::uint32_t at_once) {
    VkPipeline const pipeline = state_->pipelines.get(key);
    slot_range const place = parameters_.take(*state_, 1);
    write_parameters(place.mapped, values);
    VkDescriptorSet const set = descriptor_set(with, place.range);
    if (pipeline != bound_) {
      context_.call.vkCmdBindPipeline(buffer_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      bound_ = pipeline;
    }
    context_.call.vkCmdBindDescriptorSets(buffer_, VK_PIPELINE_BIND_POINT_COMPUTE, state_->pipelines.layout(), 0, 1,
                                          &set, 0, nullptr);
    // Kernels stride over the grid, so that any number of workgroups is enough.
    std::uint32_t const of_group = context_.can.workgroup_size * at_once;
    std::uint32_t const wanted = points / of_group + (points % of_group != 0 ? 1 : 0);
    std::uint32_t const x = wanted < context_.can.workgroups_x ? wanted : context_.can.workgroups_x;
    std::uint32_t const lines = wanted / x + (wanted % x != 0 ? 1 : 0);
    std::uint32_t const y = lines < context_.can.workgroups_y ? lines : context_.can.workgroups_y;
    context_.call.vkCmdDispatch(buffer_, x, y, 1);
  }

  void copy(byte_range const& from, byte_range const& to) {
    VkBufferCopy const region{from.begin, to.begin, from.size()};
    context_.call.vkCmdCopyBuffer(buffer_, from.buffer, to.buffer, 1, &region);
    transferred_ = true;
  }

  /// Every word of the range becomes `value`.
  void fill(byte_range const& range, std::uint32_t value) {
    context_.call.vkCmdFillBuffer(buffer_, range.buffer, range.begin, range.size(), value);
    transferred_ = true;
  }

  /// Report blocks that say "nothing bad" when the commands start to run.
  report_place reports(std::size_t count, report_readers readers) {
    if (runs_again_) readers = report_readers::kernels;  // commands clear them
    bool const by_kernels = readers == report_readers::kernels;
    slots& list = by_kernels ? reports_ : host_reports_;
    slot_range const place = list.take(*state_, count);
    report_block const nothing_bad{};
    constexpr std::size_t head = offsetof(report_block, records);
    if (runs_again_) barrier_to_transfers();  // an earlier run may still report
    for (std::size_t i = 0; i < count; ++i) {
      // Without the head no record is looked at.
      std::memcpy(place.mapped + i * sizeof(report_block), &nothing_bad, head);
      if (runs_again_)
        context_.call.vkCmdUpdateBuffer(buffer_, place.range.buffer, place.range.begin + i * sizeof(report_block), head,
                                        &nothing_bad);
    }
    transferred_ = transferred_ || runs_again_;
    if (runs_again_) barrier();
    if (by_kernels) report_count_ += count;
    region const& slab = *list.slabs().back();
    VkDeviceSize const offset = place.range.begin - slab.offset;
    if (!by_kernels) state_->memory.flush(slab, offset, count * sizeof(report_block));
    return {place.range, readers, list.slabs().size() - 1, offset};
  }

  /// How many of the reports are in the device's own memory.
  [[nodiscard]] std::size_t reports_to_fetch() const noexcept { return report_count_; }

  /// Copies those to memory that the host reads fast; from the device's own it takes a microsecond each.
  void fetch_reports() {
    barrier_to_transfers();
    for (scoped_region const& slab : reports_.slabs()) {
      scoped_region& copied = fetched_.emplace_back(*state_, slab->size, memory_use::download);
      copy({slab->buffer, slab->offset, slab->offset + slab->size},
           {copied->buffer, copied->offset, copied->offset + slab->size});
    }
  }

  /// When the commands are done: what there is in the place of a report block.
  [[nodiscard]] report_block const& report_at(report_place const& place) const {
    bool const in_host_memory = place.readers == report_readers::nobody || !fetched_.empty();
    auto const& slabs = place.readers == report_readers::nobody ? host_reports_.slabs()
                        : fetched_.empty()                      ? reports_.slabs()
                                                                : fetched_;
    region const& found = *slabs[place.slab];
    if (in_host_memory) state_->memory.invalidate(found, place.offset, sizeof(report_block));
    return *reinterpret_cast<report_block const*>(found.mapped + place.offset);
  }

  /// Sixteen bytes that kernels read, until the commands are done.
  operand constant(std::array<std::uint32_t, 4> const& value) {
    slot_range const place = parameters_.take(*state_, 1);
    std::memcpy(place.mapped, value.data(), sizeof(value));
    region const& slab = *parameters_.slabs().back();
    return {place.range.buffer, place.range.begin, slab.address == 0 ? 0 : slab.address - slab.offset};
  }

  /// Takes as much scratch as one could do without; false where there is not enough memory for it.
  bool take_scratch(VkDeviceSize size) {
    if (!has_scratch(size)) keep_scratch(scoped_region::if_available(*state_, size, memory_use::device));
    return has_scratch(size);
  }

  /// Device memory until the commands are done; the same for every use, so that uses need a barrier between them.
  byte_range scratch(VkDeviceSize size) {
    if (!has_scratch(size)) keep_scratch({*state_, size, memory_use::device});
    return {scratch_->buffer, scratch_->offset, scratch_->offset + size};
  }
  [[nodiscard]] VkDeviceAddress scratch_address() const noexcept {
    return scratch_->address == 0 ? 0 : scratch_->address - scratch_->offset;
  }

private:
  [[nodiscard]] bool has_scratch(VkDeviceSize size) const noexcept { return scratch_ && scratch_->size >= size; }
  /// Commands that have been recorded may still use the one before.
  void keep_scratch(scoped_region larger) {
    if (!larger) return;
    if (scratch_) outgrown_.push_back(std::move(scratch_));
    scratch_ = std::move(larger);
  }

  VkDescriptorSet descriptor_set(bindings const& with, byte_range const& values) {
    if (sets_.empty() || next_set_ == descriptor_block::size) {
      if (sets_.size() == sets_.capacity()) sets_.reserve(2 * sets_.size() + 1);  // a block that is taken is kept
      sets_.push_back(state_->descriptors.take());
      next_set_ = 0;
    }
    VkDescriptorSet const set = sets_.back().sets[next_set_++];
    // In the order of the bindings.
    std::array<byte_range, 6> const ranges{with.destination, with.source, with.indices,
                                           with.status,      values,      with.claims};
    std::array<VkDescriptorBufferInfo, 6> buffers{};
    std::array<VkWriteDescriptorSet, 6> writes{};
    for (std::uint32_t i = 0; i < 6; ++i) {
      byte_range const& range = ranges[i].buffer == VK_NULL_HANDLE ? values : ranges[i];
      buffers[i] = {range.buffer, range.begin, range.size()};
      writes[i] = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                   nullptr,
                   set,
                   i,
                   0,
                   1,
                   i == 4 ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                   nullptr,
                   &buffers[i],
                   nullptr};
    }
    context_.call.vkUpdateDescriptorSets(context_.device, 6, writes.data(), 0, nullptr);
    return set;
  }

  std::shared_ptr<device_state> state_;
  context& context_;
  VkCommandBuffer buffer_;
  bool runs_again_;
  VkPipeline bound_ = VK_NULL_HANDLE;
  accesses earlier_;
  operation_ranges own_;      // of the operation that is being recorded
  bool transferred_ = false;  // since the last barrier
  std::vector<descriptor_block> sets_;
  std::uint32_t next_set_ = 0;  // of the last block
  slots parameters_{memory_use::parameters};
  slots reports_{memory_use::parameters};     // that kernels read
  slots host_reports_{memory_use::download};  // that only the host reads
  std::size_t report_count_ = 0;
  std::vector<scoped_region> fetched_;  // copies of the slabs of `reports_`
  scoped_region scratch_;
  std::vector<scoped_region> outgrown_;
};

}  // namespace ndx::vulkan

#endif
