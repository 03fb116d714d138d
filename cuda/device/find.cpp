#include "cuda/backend/cuda_backend.hpp"

namespace cuzk::cuda {

result<device_info> find_device(const std::vector<device_info>& devices, const std::string& name) {
  std::string there;
  const device_info* found = nullptr;
  for (const auto& d : devices) {
    const auto by_number = "cuda:" + std::to_string(d.index);
    there += (there.empty() ? "" : ", ") + by_number + " (" + d.name + ", " + d.uuid + ")";
    const bool by_uuid = name.size() >= 8 && d.uuid.compare(0, name.size(), name) == 0;
    if (name != by_number && !by_uuid)
      continue;
    if (found != nullptr)
      return bad_input("device", quoted(name) + " fits several of " + there);
    found = &d;
  }
  if (found != nullptr)
    return *found;
  const bool built = std::string(built_architectures()) != "none";
  return bad_input("device", quoted(name) + " is not here; " +
                               (!devices.empty() ? "there are " + there
                                : built          ? "there is no GPU, or no driver"
                                                 : "this program was built without CUDA"));
}

} // namespace cuzk::cuda
