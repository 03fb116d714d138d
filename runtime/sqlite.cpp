#include "runtime/sqlite.hpp"

#include <sqlite3.h>

namespace cuzk {
namespace {

errc code_of(int code) {
  switch (code & 0xff) {
  case SQLITE_FULL:
  case SQLITE_IOERR:
  case SQLITE_READONLY:
  case SQLITE_CANTOPEN:
  case SQLITE_PERM:
  case SQLITE_NOMEM:
  case SQLITE_BUSY:
  case SQLITE_LOCKED: return errc::resources;
  case SQLITE_CONSTRAINT: return errc::conflict;
  default: return errc::internal;
  }
}

error error_of(sqlite3* db) {
  return sql_error(sqlite3_extended_errcode(db), sqlite3_errmsg(db), sqlite3_db_filename(db, "main"));
}

} // namespace

error sql_error(int code, const char* text, const char* path) {
  return {code_of(code), std::string("SQLite: ") + text + " (" + std::to_string(code) + ")", path ? path : ""};
}

void sql_statement::finalize::operator()(sqlite3_stmt* s) const noexcept {
  sqlite3_finalize(s);
}

sql_statement& sql_statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(handle_.get(), index, value);
  return *this;
}

sql_statement& sql_statement::bind(int index, std::string_view value) {
  sqlite3_bind_text(handle_.get(), index, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
  return *this;
}

sql_statement& sql_statement::bind(int index, byte_view value) {
  // An empty blob must not become NULL, which a null pointer would.
  sqlite3_bind_blob64(handle_.get(), index, value.empty() ? reinterpret_cast<const std::uint8_t*>("") : value.data(),
                      value.size(), SQLITE_TRANSIENT);
  return *this;
}

result<int> sql_statement::run() {
  CUZK_TRY(row, next());
  if (row)
    reset();
  return sqlite3_changes(sqlite3_db_handle(handle_.get()));
}

result<bool> sql_statement::next() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW)
    return true;
  if (code == SQLITE_DONE) {
    reset();
    return false;
  }
  auto failure = error_of(sqlite3_db_handle(handle_.get()));
  reset();
  return failure;
}

void sql_statement::reset() {
  sqlite3_reset(handle_.get());
  sqlite3_clear_bindings(handle_.get());
}

std::int64_t sql_statement::integer(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

std::string sql_statement::text(int column) const {
  const auto* start = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  return start ? std::string(start, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))) : "";
}

bytes sql_statement::blob(int column) const {
  const auto* start = static_cast<const std::uint8_t*>(sqlite3_column_blob(handle_.get(), column));
  return start ? bytes(start, start + sqlite3_column_bytes(handle_.get(), column)) : bytes();
}

void sql_connection::close::operator()(sqlite3* db) const noexcept {
  sqlite3_close_v2(db);
}

result<sql_connection> sql_connection::open(const std::string& path) {
  sqlite3* raw = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  sql_connection connection;
  connection.handle_.reset(raw);
  if (code != SQLITE_OK)
    return sql_error(code, raw ? sqlite3_errmsg(raw) : "no memory", path.c_str());
  return connection;
}

status sql_connection::execute(const char* sql) {
  if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    return error_of(handle_.get());
  return ok();
}

result<sql_statement> sql_connection::prepare(std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &raw,
                         nullptr) != SQLITE_OK)
    return error_of(handle_.get());
  sql_statement statement;
  statement.handle_.reset(raw);
  return statement;
}

} // namespace cuzk
