// Tables from files of any kind that Taut reads: CSV, and with libtaut_columnar Parquet and Arrow (IPC, Feather). What a file is
// is told by its first bytes, not by its name.
#pragma once

#include <taut/data/arrow/table.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/data/table_view.hpp>

#include <memory>
#include <string>
#include <vector>

namespace taut {

enum class FileKind { text, parquet, arrow };

// "-" is standard input, which is looked at only if it is a file. A file that cannot be opened counts as text: its reader says
// why.
FileKind kind_of_file(const std::string& path);

// A pipe or a terminal, whose rows come one after another; "-" is standard input.
bool is_pipe(const std::string& path);

// The whole file; the view owns it. What the user should know of columns is told to the context. Names in `drop` whose columns
// are left out anyway, because of their types, are taken off it: the table does not have them.
TableView open_table(const std::string& path, const CsvOptions& options = {}, std::vector<std::string>* drop = nullptr);
// The whole file against known columns (those of a model). No rows are an Error.
TableView open_table_as(const std::vector<Column>& schema, const std::string& path, const CsvOptions& options = {});
// Batches of rows against known columns, in constant memory. `keep` names columns to pass through.
std::unique_ptr<RowReader> open_rows(const std::string& path, const std::vector<Column>& schema,
                                     const std::vector<std::string>& keep = {}, Kept kept = Kept::as_texts,
                                     const CsvOptions& options = {});

}  // namespace taut
