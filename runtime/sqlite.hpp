#pragma once
// SQLite with results instead of codes: a connection and its prepared statements.
#include "runtime/base/error.hpp"
#include "runtime/base/hex.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace cuzk {

/// A prepared statement. Parameters count from 1, columns from 0, as in SQLite. Texts and blobs are copied.
class sql_statement {
public:
  sql_statement() = default;
  sql_statement& bind(int index, std::int64_t value);
  sql_statement& bind(int index, std::string_view value);
  sql_statement& bind(int index, byte_view value);

  /// Runs a statement without rows and readies it for the next time; the value is the number of rows changed.
  result<int> run();
  /// The next row: true, or false at the end (ready for the next time then).
  result<bool> next();
  /// Readies the statement for the next time before the end of its rows.
  void reset();

  std::int64_t integer(int column) const;
  std::string text(int column) const;
  bytes blob(int column) const;

private:
  friend class sql_connection;
  struct finalize {
    void operator()(sqlite3_stmt* s) const noexcept;
  };
  std::unique_ptr<sqlite3_stmt, finalize> handle_;
};

/// One connection, one thread at a time.
class sql_connection {
public:
  /// Opens or makes the file. Errors: as error_of.
  static result<sql_connection> open(const std::string& path);

  /// One or more statements without rows.
  status execute(const char* sql);
  result<sql_statement> prepare(std::string_view sql);

private:
  struct close {
    void operator()(sqlite3* db) const noexcept;
  };
  std::unique_ptr<sqlite3, close> handle_;
};

/// What SQLite's result code means to a caller: full, read-only or unreadable disk and a lock held by another process
/// are resources, a broken constraint is conflict, a damaged file and the rest are internal.
error sql_error(int code, const char* text, const char* path);

} // namespace cuzk
