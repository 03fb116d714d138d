#pragma once
// What --version says. The values are set by tools/CMakeLists.txt.
#include <string>

namespace cuzk {

/// "0.1.0 (1a2b3c4)"
const char* version_text() noexcept;
/// CUDA architectures compiled in, "90-real"; "none" without nvcc.
const char* cuda_architectures() noexcept;
/// The text of `PROGRAM --version`.
std::string version_lines(const char* program);

} // namespace cuzk
