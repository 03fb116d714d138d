#pragma once
// The tracker's facts and the store's: the same things, once as messages and once as rows.
#include "messages/handles.hpp"
#include "messages/journal.hpp"
#include "runtime/store.hpp"

namespace cuzk {

store::fact to_store(const journal_fact& fact, const input_handle& input);
/// Errors: internal, for a spec this program cannot read.
result<std::vector<journal_fact>> from_store(const store::stored_job& job);

} // namespace cuzk
