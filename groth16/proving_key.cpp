#include "groth16/proving_key.hpp"

#include <filesystem>

namespace cuzk::groth16 {

result<std::shared_ptr<proving_key>> proving_key::read(const std::string& params_path) {
  CUZK_TRY(file, mapped_file::open(params_path));
  CUZK_TRY(layout, read_key_layout(file.bytes(), params_path));
  CUZK_TRY(vk, read_verifying_key(file.bytes().first(layout.vk_bytes()), params_path));
  std::shared_ptr<proving_key> key(new proving_key(std::move(file), layout, std::move(vk)));
  key->test_key_ = !is_published_vk(key->vk_bytes());
  return key;
}

result<std::shared_ptr<const proving_key>> proving_key::open_alone(const std::string& params_path) {
  CUZK_TRY(key, read(params_path));
  return std::shared_ptr<const proving_key>(std::move(key));
}

result<std::shared_ptr<const proving_key>> proving_key::open(const std::string& params_path, const circuit& of,
                                                             const key_options& options) {
  CUZK_TRY(key, read(params_path));
  CUZK_CHECK(check_counts(key->layout_.counts(), of.counts, params_path));
  const auto derived_path = options.derived_path.empty() ? params_path + ".derived" : options.derived_path;
  std::error_code ignored;
  if (options.use_derived && (!options.derived_path.empty() || std::filesystem::exists(derived_path, ignored))) {
    CUZK_TRY(derived, derived_key::open(derived_path, header_for(of, key->vk_bytes())));
    key->derived_ = std::move(derived);
  }
  return std::shared_ptr<const proving_key>(std::move(key));
}

status proving_key::fits(const circuit& of) const {
  CUZK_CHECK(check_counts(layout_.counts(), of.counts, path()));
  if (derived_ && derived_->header() != header_for(of, vk_bytes()))
    return error{errc::params, "is of another circuit", derived_->path()};
  return ok();
}

status proving_key::unchanged() const {
  for (const auto* file : {&file_, derived_ ? &derived_->file() : &file_})
    if (!file->unchanged())
      return error{errc::params, "was changed on disk after it was loaded; evict the key and put the file right",
                   file->path()};
  return ok();
}

point_view proving_key::points(section s) const noexcept {
  const auto& range = layout_[s];
  return {reinterpret_cast<const std::byte*>(file_.bytes().data()) + range.points, range.count,
          point_layout::big_endian, true};
}

std::uint64_t proving_key::mapped_bytes() const noexcept {
  const std::uint64_t more = derived_ ? derived_->g().count * 96 + derived_->l().count * 96 : 0;
  return file_.bytes().size() + more;
}

} // namespace cuzk::groth16
