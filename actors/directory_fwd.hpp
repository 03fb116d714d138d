#pragma once
// Who is who, as a message: every actor gets the directory when it starts and again when one of its peers is replaced.
#include <caf/allowed_unsafe_message_type.hpp>

#include <memory>

namespace cuzk {

struct directory; // actors/directory.hpp
using directory_ptr = std::shared_ptr<const directory>;

} // namespace cuzk

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(std::shared_ptr<const cuzk::directory>)
