#pragma once
// A folder of a test's own, gone with the test.
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace cuzk::test {

class temp_dir {
public:
  temp_dir() {
    std::string name = (std::filesystem::temp_directory_path() / "cuzk-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  temp_dir(const temp_dir&) = delete;
  temp_dir& operator=(const temp_dir&) = delete;
  ~temp_dir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const noexcept { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

} // namespace cuzk::test
