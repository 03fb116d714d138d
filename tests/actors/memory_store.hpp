#pragma once
// A journal in memory that keeps the rules of runtime/store.hpp, and fails when told to.
#include "runtime/store.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace cuzk::test {

class memory_store final : public store::journal_store {
public:
  std::optional<error> fail; ///< every append is refused with this
  int appends = 0;
  bool throws = false;

  status append(std::span<const store::fact> facts) override {
    ++appends;
    if (throws)
      throw std::runtime_error("the disk is on fire");
    if (fail)
      return *fail;
    auto next = jobs_;
    auto inputs = inputs_;
    for (const auto& f : facts)
      CUZK_CHECK(std::visit([&](const auto& x) { return apply(next, inputs, x); }, f));
    jobs_ = std::move(next);
    inputs_ = std::move(inputs);
    return ok();
  }
  result<std::vector<store::stored_job>> load() override {
    std::vector<store::stored_job> out;
    for (const auto& [id, j] : jobs_)
      out.push_back(j);
    return out;
  }
  result<std::uint64_t> next_job() override { return next_; }
  result<bytes> input(const store::digest& name) override {
    const auto it = inputs_.find(name);
    if (it == inputs_.end())
      return error{errc::not_found, "no such input"};
    return it->second;
  }
  const std::map<std::uint64_t, store::stored_job>& jobs() const { return jobs_; }

private:
  using job_map = std::map<std::uint64_t, store::stored_job>;
  using input_map = std::map<store::digest, bytes>;

  status apply(job_map& jobs, input_map& inputs, const store::accepted& f) {
    const bool known = std::any_of(jobs.begin(), jobs.end(), [&](const auto& j) {
      return j.first == f.job || j.second.job.request_id == f.request_id;
    });
    if (known)
      return error{errc::conflict, "job is there"};
    if (f.input != nullptr)
      inputs[f.input_digest] = *f.input;
    if (inputs.count(f.input_digest) == 0)
      return error{errc::not_found, "no input"};
    jobs[f.job].job = f;
    jobs[f.job].job.input = nullptr;
    next_ = std::max(next_, f.job + 1);
    return ok();
  }
  status apply(job_map& jobs, input_map&, const store::prepared& f) {
    if (const auto it = jobs.find(f.job); it != jobs.end())
      it->second.shape = f;
    return ok();
  }
  status apply(job_map& jobs, input_map&, const store::partition_done& f) {
    const auto it = jobs.find(f.job);
    if (it == jobs.end())
      return ok();
    auto& parts = it->second.partitions;
    const auto same = [&](const store::partition_done& p) { return p.partition == f.partition; };
    if (std::none_of(parts.begin(), parts.end(), same))
      parts.push_back(f);
    std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.partition < b.partition; });
    return ok();
  }
  status apply(job_map& jobs, input_map&, const store::finished& f) {
    const auto it = jobs.find(f.job);
    if (it != jobs.end() && !it->second.over)
      it->second.over = f;
    return ok();
  }
  status apply(job_map& jobs, input_map&, const store::forgotten& f) {
    jobs.erase(f.job);
    return ok();
  }

  job_map jobs_;
  input_map inputs_;
  std::uint64_t next_ = 1;
};

} // namespace cuzk::test
