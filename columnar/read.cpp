// Reads Parquet and Arrow files as C streams of record batches.
#include <columnar/columnar.hpp>

#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <arrow/io/api.h>
#include <arrow/ipc/api.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>

#include <numeric>

namespace taut::columnar {
namespace {

enum class Format { parquet, arrow_file, arrow_stream };

// The format by the first bytes of the file; its name is ignored.
arrow::Result<Format> format_of(arrow::io::RandomAccessFile& file) {
  ARROW_ASSIGN_OR_RAISE(const auto start, file.ReadAt(0, 6));
  ARROW_RETURN_NOT_OK(file.Seek(0));  // ReadAt leaves the position undefined
  const std::string_view bytes(*start);
  if (bytes.starts_with("PAR1")) return Format::parquet;
  if (bytes.starts_with("ARROW1")) return Format::arrow_file;
  return Format::arrow_stream;
}

// Adds the leaf columns of one (possibly nested) column of a Parquet file.
void add_leaves(const parquet::arrow::SchemaField& field, std::vector<int>& leaves) {
  if (field.is_leaf()) leaves.push_back(field.column_index);
  for (const auto& child : field.children) add_leaves(child, leaves);
}

arrow::Result<std::unique_ptr<parquet::arrow::FileReader>> open_parquet(std::shared_ptr<arrow::io::RandomAccessFile> file,
                                                                        bool threads, std::int64_t batch_rows) {
  parquet::ReaderProperties properties;
  properties.enable_buffered_stream();  // reads pages when they are needed instead of whole columns
  parquet::ArrowReaderProperties arrow_properties(threads);
  arrow_properties.set_batch_size(batch_rows);
  arrow_properties.set_pre_buffer(false);  // would hold the bytes of all row groups
  parquet::arrow::FileReaderBuilder builder;
  ARROW_RETURN_NOT_OK(builder.Open(std::move(file), properties));
  std::unique_ptr<parquet::arrow::FileReader> reader;
  ARROW_RETURN_NOT_OK(builder.properties(arrow_properties)->Build(&reader));
  return reader;
}

// Keeps the reader of the file alive, because the reader of batches does not own it.
class ParquetRows final : public arrow::RecordBatchReader {
 public:
  ParquetRows(std::unique_ptr<parquet::arrow::FileReader> file, std::unique_ptr<arrow::RecordBatchReader> rows)
      : file_(std::move(file)), rows_(std::move(rows)) {}
  std::shared_ptr<arrow::Schema> schema() const override { return rows_->schema(); }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* out) override { return rows_->ReadNext(out); }

 private:
  std::unique_ptr<parquet::arrow::FileReader> file_;
  std::unique_ptr<arrow::RecordBatchReader> rows_;
};

// The stored record batches of a memory-mapped Arrow file, which may have any size.
class ArrowFileRows final : public arrow::RecordBatchReader {
 public:
  ArrowFileRows(std::shared_ptr<arrow::ipc::RecordBatchFileReader> file) : file_(std::move(file)) {}
  std::shared_ptr<arrow::Schema> schema() const override { return file_->schema(); }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* out) override {
    out->reset();
    if (next_ == file_->num_record_batches()) return arrow::Status::OK();
    ARROW_ASSIGN_OR_RAISE(*out, file_->ReadRecordBatch(next_++));
    return (*out)->Validate();  // a damaged file may have buffers that are too short for their rows
  }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> file_;
  int next_ = 0;
};

class ArrowStreamRows final : public arrow::RecordBatchReader {
 public:
  ArrowStreamRows(std::shared_ptr<arrow::RecordBatchReader> stream) : stream_(std::move(stream)) {}
  std::shared_ptr<arrow::Schema> schema() const override { return stream_->schema(); }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* out) override {
    ARROW_RETURN_NOT_OK(stream_->ReadNext(out));
    return *out ? (*out)->Validate() : arrow::Status::OK();
  }

 private:
  std::shared_ptr<arrow::RecordBatchReader> stream_;
};

arrow::ipc::IpcReadOptions ipc_options(const std::vector<int>* columns, bool threads) {
  auto options = arrow::ipc::IpcReadOptions::Defaults();
  options.use_threads = threads;
  if (columns != nullptr) options.included_fields = *columns;
  return options;
}

arrow::Result<std::shared_ptr<arrow::io::RandomAccessFile>> open_file(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::ReadableFile::Open(path));
  ARROW_ASSIGN_OR_RAISE(const Format format, format_of(*file));
  if (format != Format::arrow_file) return file;
  return arrow::io::MemoryMappedFile::Open(path, arrow::io::FileMode::READ);
}

arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> open_parquet_rows(std::shared_ptr<arrow::io::RandomAccessFile> file,
                                                                           const std::vector<int>& columns, bool threads,
                                                                           std::int64_t batch_rows) {
  ARROW_ASSIGN_OR_RAISE(auto reader, open_parquet(std::move(file), threads, batch_rows));
  std::vector<int> leaves, groups(static_cast<std::size_t>(reader->num_row_groups()));
  std::iota(groups.begin(), groups.end(), 0);
  for (const int column : columns) add_leaves(reader->manifest().schema_fields[static_cast<std::size_t>(column)], leaves);
  ARROW_ASSIGN_OR_RAISE(auto rows, reader->GetRecordBatchReader(groups, leaves));
  return std::make_shared<ParquetRows>(std::move(reader), std::move(rows));
}

arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> open_rows(const std::string& path, const std::vector<int>& columns,
                                                                   bool threads, std::int64_t batch_rows) {
  ARROW_ASSIGN_OR_RAISE(auto file, open_file(path));
  ARROW_ASSIGN_OR_RAISE(const Format format, format_of(*file));
  if (format == Format::parquet) return open_parquet_rows(std::move(file), columns, threads, batch_rows);
  const auto options = ipc_options(&columns, threads);
  if (format == Format::arrow_stream) {
    ARROW_ASSIGN_OR_RAISE(auto stream, arrow::ipc::RecordBatchStreamReader::Open(std::move(file), options));
    return std::make_shared<ArrowStreamRows>(std::move(stream));
  }
  ARROW_ASSIGN_OR_RAISE(auto reader, arrow::ipc::RecordBatchFileReader::Open(std::move(file), options));
  return std::make_shared<ArrowFileRows>(std::move(reader));
}

arrow::Result<std::shared_ptr<arrow::Schema>> schema_of(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(auto file, open_file(path));
  ARROW_ASSIGN_OR_RAISE(const Format format, format_of(*file));
  if (format == Format::parquet) {
    ARROW_ASSIGN_OR_RAISE(auto reader, open_parquet(std::move(file), false, 1));
    std::shared_ptr<arrow::Schema> schema;
    ARROW_RETURN_NOT_OK(reader->GetSchema(&schema));
    return schema;
  }
  if (format == Format::arrow_stream) {
    ARROW_ASSIGN_OR_RAISE(auto stream, arrow::ipc::RecordBatchStreamReader::Open(std::move(file), ipc_options(nullptr, false)));
    return stream->schema();
  }
  ARROW_ASSIGN_OR_RAISE(auto reader, arrow::ipc::RecordBatchFileReader::Open(std::move(file), ipc_options(nullptr, false)));
  return reader->schema();
}

}  // namespace

int export_schema(const char* path, ArrowSchema* out, TautColumnarError* error) {
  return guarded(error, [&]() -> arrow::Status {
    ARROW_ASSIGN_OR_RAISE(const auto schema, schema_of(path));
    return arrow::ExportSchema(*schema, out);
  });
}

int export_rows(const char* path, const int* columns, std::size_t count, int threads, std::int64_t batch_rows,
                ArrowArrayStream* out, TautColumnarError* error) {
  return guarded(error, [&]() -> arrow::Status {
    if (threads > 1) ARROW_RETURN_NOT_OK(arrow::SetCpuThreadPoolCapacity(threads));
    ARROW_ASSIGN_OR_RAISE(auto rows, open_rows(path, {columns, columns + count}, threads != 1, batch_rows));
    return arrow::ExportRecordBatchReader(std::move(rows), out);
  });
}

}  // namespace taut::columnar
