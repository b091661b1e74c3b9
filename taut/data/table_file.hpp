// Tables from files of every supported format: CSV and, with libtaut_columnar, Parquet and Arrow (IPC, Feather). The first bytes
// of a file decide its format, not its name.
#pragma once

#include <taut/data/arrow/table.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/data/table_view.hpp>

#include <memory>
#include <string>
#include <vector>

namespace taut {

enum class FileKind { text, parquet, arrow };

// "-" is standard input, which is examined only if it is a file. A file that cannot be opened counts as text; its reader then
// reports the reason.
FileKind kind_of_file(const std::string& path);

// True for a pipe or a terminal, whose rows arrive one after another; "-" is standard input.
bool is_pipe(const std::string& path);

// Reads the whole file; the view owns it. Notes about columns go to the context. Columns of unsupported types are left out, and
// their names are removed from `drop`, because the table does not have them. A file without rows is an Error.
TableView open_table(const std::string& path, const CsvOptions& options = {}, std::vector<std::string>* drop = nullptr);
// Reads the whole file against known columns (those of a model). A file without rows is an Error.
TableView open_table_as(const std::vector<Column>& schema, const std::string& path, const CsvOptions& options = {});
// Reads batches of rows against known columns, in constant memory. `keep` names columns to pass through.
std::unique_ptr<RowReader> open_rows(const std::string& path, const std::vector<Column>& schema,
                                     const std::vector<std::string>& keep = {}, Kept kept = Kept::as_texts,
                                     const CsvOptions& options = {});

}  // namespace taut
