// Writes rows to a Parquet or Arrow file, batch by batch.
#include <columnar/columnar.hpp>

#include <arrow/api.h>
#include <arrow/c/bridge.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/writer.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/writer.h>

namespace {

constexpr std::int64_t rows_in_group = 1 << 17;  // a row group is kept in memory until it is complete

class Sink final : public arrow::io::OutputStream {
 public:
  explicit Sink(TautColumnarSink sink) : sink_(sink) {}
  ~Sink() override = default;

  arrow::Status Write(const void* bytes, std::int64_t size) override {
    if (sink_.write(sink_.context, static_cast<const char*>(bytes), static_cast<std::size_t>(size)) != 0)
      return arrow::Status::IOError("the file could not be written");
    written_ += size;
    return arrow::Status::OK();
  }
  arrow::Result<std::int64_t> Tell() const override { return written_; }
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }

 private:
  TautColumnarSink sink_;
  std::int64_t written_ = 0;
  bool closed_ = false;
};

// Decodes a dictionary column: an Arrow file has one dictionary for each column, but each batch brings its own.
arrow::Result<std::shared_ptr<arrow::Array>> without_dictionary(const std::shared_ptr<arrow::Array>& array) {
  if (array->type_id() != arrow::Type::DICTIONARY) return array;
  const auto& coded = static_cast<const arrow::DictionaryArray&>(*array);
  ARROW_ASSIGN_OR_RAISE(auto builder, arrow::MakeBuilder(coded.dictionary()->type()));
  const arrow::ArraySpan values(*coded.dictionary()->data());
  for (std::int64_t row = 0; row < coded.length(); ++row)
    ARROW_RETURN_NOT_OK(coded.IsNull(row) ? builder->AppendNull()
                                          : builder->AppendArraySlice(values, coded.GetValueIndex(row), 1));
  return builder->Finish();
}

std::shared_ptr<arrow::Schema> without_dictionaries(const arrow::Schema& schema) {
  std::vector<std::shared_ptr<arrow::Field>> fields;
  for (const auto& field : schema.fields()) {
    const bool is_coded = field->type()->id() == arrow::Type::DICTIONARY;
    fields.push_back(
        is_coded ? arrow::field(field->name(), static_cast<const arrow::DictionaryType&>(*field->type()).value_type()) : field);
  }
  return arrow::schema(std::move(fields));
}

}  // namespace

struct TautColumnarWriter {
  std::shared_ptr<Sink> sink;
  std::shared_ptr<arrow::Schema> schema;
  std::unique_ptr<parquet::arrow::FileWriter> parquet;
  std::shared_ptr<arrow::ipc::RecordBatchWriter> arrow;

  arrow::Status open(char format) {
    if (format == 'A') return arrow::ipc::MakeFileWriter(sink, without_dictionaries(*schema)).Value(&arrow);
    parquet::WriterProperties::Builder properties;
    properties.max_row_group_length(rows_in_group);
    if (arrow::util::Codec::IsAvailable(arrow::Compression::SNAPPY)) properties.compression(arrow::Compression::SNAPPY);
    const auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
    return parquet::arrow::FileWriter::Open(*schema, arrow::default_memory_pool(), sink, properties.build(), arrow_properties)
        .Value(&parquet);
  }

  arrow::Status write(const std::shared_ptr<arrow::RecordBatch>& rows) {
    if (parquet) return parquet->WriteRecordBatch(*rows);
    std::vector<std::shared_ptr<arrow::Array>> columns;
    for (const auto& column : rows->columns()) {
      ARROW_ASSIGN_OR_RAISE(auto plain, without_dictionary(column));
      columns.push_back(std::move(plain));
    }
    return arrow->WriteRecordBatch(
        *arrow::RecordBatch::Make(without_dictionaries(*schema), rows->num_rows(), std::move(columns)));
  }

  arrow::Status finish() { return parquet ? parquet->Close() : arrow->Close(); }
};

namespace taut::columnar {

int create_writer(char format, TautColumnarSink sink, ArrowSchema* schema, TautColumnarWriter** out, TautColumnarError* error) {
  return guarded(error, [&]() -> arrow::Status {
    auto writer = std::make_unique<TautColumnarWriter>();
    ARROW_ASSIGN_OR_RAISE(writer->schema, arrow::ImportSchema(schema));
    writer->sink = std::make_shared<Sink>(sink);
    ARROW_RETURN_NOT_OK(writer->open(format));
    *out = writer.release();
    return arrow::Status::OK();
  });
}

int write_rows(TautColumnarWriter* writer, ArrowArray* rows, TautColumnarError* error) {
  return guarded(error, [&]() -> arrow::Status {
    ARROW_ASSIGN_OR_RAISE(const auto batch, arrow::ImportRecordBatch(rows, writer->schema));
    return writer->write(batch);
  });
}

int finish_writer(TautColumnarWriter* writer, TautColumnarError* error) {
  return guarded(error, [&] { return writer->finish(); });
}

void destroy_writer(TautColumnarWriter* writer) { delete writer; }

}  // namespace taut::columnar
