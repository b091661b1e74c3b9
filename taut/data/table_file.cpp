#include <taut/data/table_file.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/posix.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/arrow/columnar_module.hpp>

#include <algorithm>
#include <string_view>

namespace taut {
namespace {

constexpr std::int64_t streamed_rows = 1 << 16, whole_rows = 1 << 18;  // rows per batch

// The first bytes of a file. The position in standard input does not change.
std::string first_bytes(const std::string& path) {
  const int descriptor = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return "";
  char bytes[8];
  struct stat status {};
  const bool is_file = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && ::lseek(descriptor, 0, SEEK_CUR) == 0;
  const ssize_t got = is_file ? posix::read_start(descriptor, bytes, sizeof bytes) : 0;
  if (path != "-") ::close(descriptor);
  return {bytes, static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

std::string name_of(const std::string& path) { return path == "-" ? "standard input" : path; }

// A columnar file whose schema has been read.
class ColumnarFile {
 public:
  ColumnarFile(const std::string& path, FileKind kind)
      : path_(path == "-" ? "/dev/stdin" : path),
        name_(name_of(path)),
        calls_(columnar_calls(name_ + (kind == FileKind::parquet ? ": this is a Parquet file" : ": this is an Arrow file"))) {
    TautColumnarError error{};
    if (calls_.schema(path_.c_str(), &schema_, &error) != 0) fail(error);
    for (std::int64_t i = 0; i < schema_.n_children; ++i) {
      const ArrowSchema* child = schema_.children[i];
      fields_.push_back({child->name != nullptr ? child->name : "", child});
      names_.push_back(fields_.back().name);
    }
  }
  ~ColumnarFile() {
    if (schema_.release != nullptr) schema_.release(&schema_);
  }
  ColumnarFile(const ColumnarFile&) = delete;
  ColumnarFile& operator=(const ColumnarFile&) = delete;

  const std::vector<ArrowField>& fields() const { return fields_; }

  ArrowStream read(const std::vector<int>& columns, const CsvOptions& options, std::int64_t batch_rows) const {
    ArrowArrayStream stream{};
    TautColumnarError error{};
    const int threads = options.context != nullptr ? options.context->threads : 0;
    if (calls_.read(path_.c_str(), columns.data(), columns.size(), threads, batch_rows, &stream, &error) != 0) fail(error);
    return {stream, name_};
  }

  // Reads only the columns with these names. A name that the file lacks is an Error.
  ArrowStream read_named(const std::vector<std::string>& wanted, const CsvOptions& options, std::int64_t batch_rows) const {
    std::vector<int> columns;
    std::vector<std::string> absent;
    for (const auto& name : wanted)
      if (std::find(names_.begin(), names_.end(), name) == names_.end()) absent.push_back(name);
    if (!absent.empty()) throw Error(missing_columns(name_, absent, wanted, names_));
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (std::find(wanted.begin(), wanted.end(), names_[i]) != wanted.end()) columns.push_back(static_cast<int>(i));
    return read(columns, options, batch_rows);
  }

 private:
  [[noreturn]] void fail(const TautColumnarError& error) const {
    throw Error(format_text("{}: cannot be read: {}; the file may be damaged or not copied completely", name_, error.words));
  }

  std::string path_, name_;
  const TautColumnarCalls& calls_;
  ArrowSchema schema_{};
  std::vector<ArrowField> fields_;
  std::vector<std::string> names_;
};

// The positions of all columns of supported types, and of columns named in the options: reading those reports what is wrong with
// them. `left_out` gets a description of every other column.
std::vector<int> usable_columns(const ColumnarFile& file, const CsvOptions& options, std::vector<std::string>& left_out) {
  std::vector<std::string> named = options.numbers;
  named.insert(named.end(), options.categories.begin(), options.categories.end());
  std::vector<int> columns;
  for (std::size_t i = 0; i < file.fields().size(); ++i) {
    const ArrowField& field = file.fields()[i];
    const bool is_named = std::find(named.begin(), named.end(), field.name) != named.end();
    if (field.type().is_supported() || is_named)
      columns.push_back(static_cast<int>(i));
    else if (std::find(options.drop.begin(), options.drop.end(), field.name) == options.drop.end())
      left_out.push_back(format_text("column '{}': left out, it holds {}", field.name, field.type().words));
  }
  return columns;
}

[[noreturn]] void fail_empty(const std::string& path) {
  throw Error(name_of(path) + ": the table has columns, but no rows; give at least one");
}

}  // namespace

FileKind kind_of_file(const std::string& path) {
  const std::string start = first_bytes(path);
  if (start.starts_with("PAR1")) return FileKind::parquet;
  // An Arrow file or stream. No UTF-8 text begins with these bytes.
  if (start.starts_with("ARROW1") || start.starts_with("\xFF\xFF\xFF\xFF")) return FileKind::arrow;
  if (start.starts_with("FEA1"))
    throw Error(name_of(path) +
                ": this is a Feather file of version 1, which has not been written since 2020; write it again, by pandas' "
                "to_feather for example");
  return FileKind::text;
}

bool is_pipe(const std::string& path) {
  struct stat status {};
  const int found = path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
  return found == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

TableView open_table(const std::string& path, const CsvOptions& options, std::vector<std::string>* drop) {
  const Traced traced("read", [&] { return path; });
  const FileKind kind = kind_of_file(path);
  if (kind == FileKind::text) return TableView::owning(read_table(path, options));
  const ColumnarFile file(path, kind);
  std::vector<std::string> left_out;
  const std::vector<int> columns = usable_columns(file, options, left_out);
  const auto cannot_be_read = [&file](const std::string& name) {
    return std::any_of(file.fields().begin(), file.fields().end(),
                       [&](const ArrowField& field) { return field.name == name && !field.type().is_supported(); });
  };
  CsvOptions of_stream = options;
  std::erase_if(of_stream.drop, cannot_be_read);
  if (drop != nullptr) std::erase_if(*drop, cannot_be_read);
  ArrowTable table = read_arrow_table(file.read(columns, options, whole_rows), of_stream);
  if (options.context != nullptr) {
    for (const auto& words : left_out) options.context->tell(format_text("{}, {}", name_of(path), words));
    for (const auto& note : table.notes) options.context->tell(note);
  }
  if (table.view.rows() == 0) fail_empty(path);
  return std::move(table.view);
}

TableView open_table_as(const std::vector<Column>& schema, const std::string& path, const CsvOptions& options) {
  const Traced traced("read", [&] { return path; });
  const FileKind kind = kind_of_file(path);
  if (kind == FileKind::text) return TableView::owning(read_table_as(schema, path, options));
  const ColumnarFile file(path, kind);
  TableView view = read_arrow_table_as(schema, file.read_named(names_of(schema), options, whole_rows), options);
  if (view.rows() == 0) fail_empty(path);
  return view;
}

std::unique_ptr<RowReader> open_rows(const std::string& path, const std::vector<Column>& schema,
                                     const std::vector<std::string>& keep, Kept kept, const CsvOptions& options) {
  const FileKind kind = kind_of_file(path);
  if (kind == FileKind::text) return std::make_unique<CsvReader>(path, schema, keep, options);
  const ColumnarFile file(path, kind);
  std::vector<std::string> wanted = names_of(schema);
  wanted.insert(wanted.end(), keep.begin(), keep.end());
  return std::make_unique<ArrowReader>(file.read_named(wanted, options, streamed_rows), schema, keep, kept, options);
}

}  // namespace taut
