#pragma once
// The only unsafe message types: handles.hpp, allowed to travel between actors of one process.
#include "messages/handles.hpp"

#include <caf/allowed_unsafe_message_type.hpp>

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(cuzk::input_handle)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(cuzk::prepared_handle)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(cuzk::key_handle)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(cuzk::statement_handle)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(cuzk::witness_handle)
