#include <taut/data/result_writer.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/data/arrow/columnar_module.hpp>
#include <taut/data/arrow/table.hpp>
#include <taut/data/csv/writer.hpp>

#include <exception>
#include <utility>

namespace taut {
namespace {

class CsvResults final : public ResultWriter {
 public:
  CsvResults(OutputFile& file, const std::vector<std::string>& kept, const std::vector<std::string>& numbers)
      : file_(file), writer_(file) {
    writer_.texts(kept);
    writer_.texts(numbers);
    writer_.end_row();
  }

  void write(const Batch& batch, std::span<const double> first, const Matrix& others) override {
    for (Index row = 0; row < batch.table.rows(); ++row) {
      writer_.texts(batch.kept_of(row));
      writer_.number(first[static_cast<std::size_t>(row)]);
      for (Index column = 0; column < others.cols(); ++column) writer_.number(others(row, column));
      writer_.end_row();
    }
  }

  void flush() override {
    writer_.finish();
    file_.commit();  // standard output stays open
  }
  void write(const Batch& batch, std::vector<ResultColumn> columns) override {
    for (Index row = 0; row < batch.table.rows(); ++row) {
      const auto at = static_cast<std::size_t>(row);
      writer_.texts(batch.kept_of(row));
      for (const ResultColumn& column : columns)
        if (column.texts.empty())
          writer_.number(column.numbers[at]);
        else
          writer_.text(column.texts[at]);
      writer_.end_row();
    }
  }

  void finish() override { writer_.finish(); }

 private:
  OutputFile& file_;
  CsvWriter writer_;
};

// The buffers of an array that this file makes.
struct OwnCells {
  std::vector<std::uint8_t> validity = {};  // one bit per row; empty: no cell is missing
  std::vector<double> numbers = {};
  std::vector<std::int64_t> offsets = {};
  std::string texts = {};
  std::vector<const void*> buffers = {};
};

ArrowArray array_of(std::unique_ptr<OwnCells> cells, Index rows) {
  OwnCells* own = cells.release();
  return {rows,
          0,
          0,
          std::ssize(own->buffers),
          0,
          own->buffers.data(),
          nullptr,
          nullptr,
          [](ArrowArray* array) {
            delete static_cast<OwnCells*>(array->private_data);
            array->release = nullptr;
          },
          own};
}

// NaN, the bound of an empty prediction set, is a missing cell in CSV but stays NaN here.
ArrowArray array_of(std::vector<double> numbers) {
  auto cells = std::make_unique<OwnCells>();
  cells->numbers = std::move(numbers);
  cells->buffers = {nullptr, cells->numbers.data()};
  const Index rows = std::ssize(cells->numbers);
  return array_of(std::move(cells), rows);
}

// An array of texts; `text_of(row)` returns the text of a row.
template <class TextOf>
ArrowArray texts_of(Index rows, bool empty_is_missing, TextOf text_of) {
  auto cells = std::make_unique<OwnCells>();
  cells->validity.resize(static_cast<std::size_t>(rows) / 8 + 1);
  cells->offsets = {0};
  for (Index row = 0; row < rows; ++row) {
    const std::string& text = text_of(row);
    const auto at = static_cast<std::size_t>(row);
    if (!text.empty() || !empty_is_missing)
      cells->validity[at / 8] = static_cast<std::uint8_t>(cells->validity[at / 8] | (1U << (at % 8)));
    cells->texts += text;
    cells->offsets.push_back(std::ssize(cells->texts));
  }
  cells->buffers = {cells->validity.data(), cells->offsets.data(), cells->texts.data()};
  ArrowArray array = array_of(std::move(cells), rows);
  array.null_count = -1;
  return array;
}

// A kept column as texts. An empty text is a missing cell, as in the CSV file.
ArrowArray texts_of(const Batch& batch, std::size_t column) {
  return texts_of(batch.table.rows(), true, [&](Index row) -> const std::string& { return batch.kept_of(row)[column]; });
}

// The children of an Arrow structure, and the function that releases them.
template <class Structure>
struct Columns {
  std::vector<Structure> columns;
  std::vector<Structure*> pointers = {};
  std::vector<std::string> names = {};
  const void* no_buffer = nullptr;

  explicit Columns(std::vector<Structure> given) : columns(std::move(given)) {
    for (Structure& column : columns) pointers.push_back(&column);
  }
  static void release(Structure* structure) {
    auto* own = static_cast<Columns*>(structure->private_data);
    for (Structure& column : own->columns)
      if (column.release != nullptr) column.release(&column);
    delete own;
    structure->release = nullptr;
  }
};

ArrowArray table_of(std::vector<ArrowArray> columns, Index rows) {
  auto* own = new Columns<ArrowArray>(std::move(columns));
  return {rows, 0, 0, 1, std::ssize(own->columns), &own->no_buffer, own->pointers.data(), nullptr, &Columns<ArrowArray>::release,
          own};
}

void release_nothing(ArrowSchema* schema) { schema->release = nullptr; }

// The caller keeps the name alive until the schema has been taken over.
ArrowSchema plain_column(const char* format, const std::string& name) {
  return {format, name.c_str(), nullptr, ARROW_FLAG_NULLABLE, 0, nullptr, nullptr, &release_nothing, nullptr};
}

class ColumnarResults final : public ResultWriter {
 public:
  ColumnarResults(OutputFile& file, const std::string& path, const std::vector<std::string>& kept,
                  const std::vector<std::string>& names, const std::set<std::string>& texts)
      : file_(file),
        path_(path),
        calls_(columnar_calls(format_text("the output {} is to be a columnar file", path))),
        kept_(kept),
        names_(names),
        texts_(texts) {}
  ~ColumnarResults() override {
    if (writer_ != nullptr) calls_.destroy(writer_);
  }
  ColumnarResults(const ColumnarResults&) = delete;
  ColumnarResults& operator=(const ColumnarResults&) = delete;

  void write(const Batch& batch, std::span<const double> first, const Matrix& others) override {
    std::vector<ResultColumn> columns = {{.numbers = {first.begin(), first.end()}}};
    for (Index column = 0; column < others.cols(); ++column) {
      std::vector<double> cells(static_cast<std::size_t>(others.rows()));
      for (Index row = 0; row < others.rows(); ++row) cells[static_cast<std::size_t>(row)] = others(row, column);
      columns.push_back({.numbers = std::move(cells)});
    }
    write(batch, std::move(columns));
  }

  void write(const Batch& batch, std::vector<ResultColumn> results) override {
    if (writer_ == nullptr) create(batch.kept_arrays.get());
    std::vector<ArrowArray> columns;
    for (std::size_t i = 0; i < kept_.size(); ++i)
      columns.push_back(batch.kept_arrays ? batch.kept_arrays->share(i) : texts_of(batch, i));
    for (std::size_t i = 0; i < results.size(); ++i)
      columns.push_back(texts_.contains(names_[i]) ? texts_of(batch.table.rows(), false,
                                                              [&](Index row) -> const std::string& {
                                                                return results[i].texts[static_cast<std::size_t>(row)];
                                                              })
                                                   : array_of(std::move(results[i].numbers)));
    ArrowArray rows = table_of(std::move(columns), batch.table.rows());
    TautColumnarError error{};
    check(calls_.write(writer_, &rows, &error), error);
  }

  void finish() override {
    if (writer_ == nullptr) create(nullptr);
    TautColumnarError error{};
    check(calls_.finish(writer_, &error), error);
  }

 private:
  // Kept columns have the types of the input file; those of a CSV file are texts.
  void create(const ArrowSlice* slice) {
    std::vector<ArrowSchema> columns;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      ArrowSchema column = plain_column("U", kept_[i]);
      if (slice != nullptr) {
        column = *slice->fields()[i].schema;
        column.release = &release_nothing;
      }
      columns.push_back(column);
    }
    for (const auto& name : names_) columns.push_back(plain_column(texts_.contains(name) ? "U" : "g", name));
    auto* own = new Columns<ArrowSchema>(std::move(columns));
    ArrowSchema schema{
        "+s", "", nullptr, 0, std::ssize(own->columns), own->pointers.data(), nullptr, &Columns<ArrowSchema>::release, own};
    TautColumnarError error{};
    const bool is_parquet = path_.ends_with(".parquet");
    check(calls_.create(is_parquet ? 'P' : 'A', {&write_bytes, this}, &schema, &writer_, &error), error);
  }

  // The module has a C interface: an exception must not pass through it.
  static int write_bytes(void* context, const char* bytes, std::size_t size) {
    auto& self = *static_cast<ColumnarResults*>(context);
    try {
      self.file_.write({bytes, size});
      return 0;
    } catch (...) {
      self.failure_ = std::current_exception();
      return 1;
    }
  }

  void check(int code, const TautColumnarError& error) {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    if (code != 0) throw Error(format_text("{}: cannot be written: {}", path_, error.words));
  }

  OutputFile& file_;
  std::string path_;
  const TautColumnarCalls& calls_;
  std::vector<std::string> kept_, names_;
  std::set<std::string> texts_;  // names of columns that hold texts
  TautColumnarWriter* writer_ = nullptr;
  std::exception_ptr failure_;
};

}  // namespace

bool is_columnar_name(const std::string& path) {
  return path.ends_with(".parquet") || path.ends_with(".arrow") || path.ends_with(".feather");
}

std::unique_ptr<ResultWriter> make_result_writer(OutputFile& file, const std::string& path, const std::vector<std::string>& kept,
                                                 const std::vector<std::string>& columns, const std::set<std::string>& texts) {
  if (is_columnar_name(path)) return std::make_unique<ColumnarResults>(file, path, kept, columns, texts);
  return std::make_unique<CsvResults>(file, kept, columns);
}

}  // namespace taut
