// Arrow streams built by hand, which count the structures that are released.
#pragma once

#include <taut/data/arrow/abi.hpp>

#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace taut::testing {

using Bytes = std::vector<char>;

template <class Number>
Bytes bytes_of(const std::vector<Number>& numbers) {
  Bytes bytes(numbers.size() * sizeof(Number));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

// "101": rows 0 and 2 are present.
inline Bytes bits_of(const std::string& bits) {
  Bytes bytes(bits.size() / 8 + 1);
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (bits[i] == '1') bytes[i / 8] = static_cast<char>(bytes[i / 8] | (1 << (i % 8)));
  return bytes;
}

// One column of one batch. An empty optional is a null pointer.
struct HandColumn {
  std::string name;
  std::string format;
  std::int64_t length = 0;
  std::vector<std::optional<Bytes>> buffers = {};
  std::int64_t null_count = 0;
  std::int64_t offset = 0;
  std::int64_t flags = 0;
  std::shared_ptr<HandColumn> dictionary = {};
};

template <class Number>
HandColumn numbers(const std::string& name, const std::string& format, const std::vector<Number>& cells,
                   const std::string& there = "") {
  HandColumn column{name, format, static_cast<std::int64_t>(cells.size()), {std::nullopt, bytes_of(cells)}};
  if (!there.empty()) {
    column.buffers[0] = bits_of(there);
    column.null_count = -1;
  }
  return column;
}

template <class Offset = std::int32_t>
HandColumn texts(const std::string& name, const std::vector<std::string>& cells, const std::string& there = "") {
  std::vector<Offset> offsets = {0};
  std::string all;
  for (const auto& cell : cells) {
    all += cell;
    offsets.push_back(static_cast<Offset>(all.size()));
  }
  HandColumn column{name,
                    sizeof(Offset) == 4 ? "u" : "U",
                    static_cast<std::int64_t>(cells.size()),
                    {std::nullopt, bytes_of(offsets), Bytes(all.begin(), all.end())}};
  if (!there.empty()) {
    column.buffers[0] = bits_of(there);
    column.null_count = -1;
  }
  return column;
}

// A stream of these batches. It counts the structures that are not released yet; releasing one twice is counted too.
class HandStream {
 public:
  using HandBatch = std::vector<HandColumn>;

  explicit HandStream(std::vector<HandBatch> batches) : batches_(std::move(batches)) {
    if (!batches_.empty()) columns_ = batches_.front();
  }
  explicit HandStream(HandBatch columns) : HandStream(std::vector<HandBatch>{std::move(columns)}) {}

  ArrowArrayStream make() {
    ++open;
    return {[](ArrowArrayStream* stream, ArrowSchema* out) { return self(stream).schema(out); },
            [](ArrowArrayStream* stream, ArrowArray* out) { return self(stream).array(out); },
            [](ArrowArrayStream* stream) { return self(stream).error.empty() ? nullptr : self(stream).error.c_str(); },
            [](ArrowArrayStream* stream) {
              --self(stream).open;
              stream->release = nullptr;
            },
            this};
  }

  int open = 0;
  int schema_code = 0;                  // what get_schema returns
  std::optional<std::size_t> fails_at;  // get_next returns EIO instead of this batch
  std::string error;
  std::int64_t batch_offset = 0, batch_length = -1;  // of the structure around the columns
  std::optional<std::string> rows_there;
  bool drops_a_column = false;  // in the arrays, not in the schema
  bool is_single = false;       // a stream of the first column's values, not of a table

 private:
  static HandStream& self(ArrowArrayStream* stream) { return *static_cast<HandStream*>(stream->private_data); }

  // What a structure owns; children are released by their parent.
  struct Owned {
    HandStream* stream = nullptr;
    bool counts = false;
    HandColumn column = {};
    std::vector<const void*> buffers = {};
    std::vector<std::unique_ptr<ArrowSchema>> schemas = {};
    std::vector<std::unique_ptr<ArrowArray>> arrays = {};
    std::vector<ArrowSchema*> schema_pointers = {};
    std::vector<ArrowArray*> array_pointers = {};
  };

  template <class Structure>
  static void release(Structure* structure) {
    auto* owned = static_cast<Owned*>(structure->private_data);
    if (owned->counts) --owned->stream->open;
    for (std::int64_t i = 0; i < structure->n_children; ++i)
      if (structure->children[i] != nullptr && structure->children[i]->release != nullptr)
        structure->children[i]->release(structure->children[i]);
    if (structure->dictionary != nullptr && structure->dictionary->release != nullptr)
      structure->dictionary->release(structure->dictionary);
    structure->release = nullptr;
    delete owned;
  }

  ArrowSchema schema_of(const HandColumn& column) {
    auto* owned = new Owned{.stream = this, .column = column};
    ArrowSchema schema{owned->column.format.c_str(),
                       owned->column.name.c_str(),
                       nullptr,
                       column.flags,
                       0,
                       nullptr,
                       nullptr,
                       &release<ArrowSchema>,
                       owned};
    if (column.dictionary) {
      owned->schemas.push_back(std::make_unique<ArrowSchema>(schema_of(*column.dictionary)));
      schema.dictionary = owned->schemas.back().get();
    }
    return schema;
  }

  ArrowArray array_of(const HandColumn& column) {
    auto* owned = new Owned{.stream = this, .column = column};
    for (const auto& buffer : owned->column.buffers) owned->buffers.push_back(buffer ? buffer->data() : nullptr);
    ArrowArray array{column.length,
                     column.null_count,
                     column.offset,
                     static_cast<std::int64_t>(owned->buffers.size()),
                     0,
                     owned->buffers.data(),
                     nullptr,
                     nullptr,
                     &release<ArrowArray>,
                     owned};
    if (column.dictionary) {
      owned->arrays.push_back(std::make_unique<ArrowArray>(array_of(*column.dictionary)));
      array.dictionary = owned->arrays.back().get();
    }
    return array;
  }

  int schema(ArrowSchema* out) {
    if (schema_code != 0) return schema_code;
    ++open;
    if (is_single) {
      *out = schema_of(columns_.front());
      static_cast<Owned*>(out->private_data)->counts = true;
      return 0;
    }
    auto* owned = new Owned{.stream = this, .counts = true};
    for (const auto& column : columns_) {
      owned->schemas.push_back(std::make_unique<ArrowSchema>(schema_of(column)));
      owned->schema_pointers.push_back(owned->schemas.back().get());
    }
    *out = {"+s",
            "",
            nullptr,
            0,
            static_cast<std::int64_t>(columns_.size()),
            owned->schema_pointers.data(),
            nullptr,
            &release<ArrowSchema>,
            owned};
    return 0;
  }

  int array(ArrowArray* out) {
    if (fails_at == next_) return 5;  // EIO
    if (next_ == batches_.size()) {
      out->release = nullptr;
      return 0;
    }
    const HandBatch& batch = batches_[next_++];
    ++open;
    if (is_single) {
      *out = array_of(batch.front());
      static_cast<Owned*>(out->private_data)->counts = true;
      return 0;
    }
    auto* owned = new Owned{.stream = this, .counts = true};
    if (rows_there)
      owned->column.buffers = {bits_of(*rows_there)};
    else
      owned->column.buffers = {std::nullopt};
    owned->buffers.push_back(rows_there ? owned->column.buffers[0]->data() : nullptr);
    const std::size_t count = batch.size() - (drops_a_column ? 1 : 0);
    for (std::size_t i = 0; i < count; ++i) {
      owned->arrays.push_back(std::make_unique<ArrowArray>(array_of(batch[i])));
      owned->array_pointers.push_back(owned->arrays.back().get());
    }
    const std::int64_t length = batch_length >= 0 ? batch_length : batch.empty() ? 0 : batch.front().length;
    *out = {length,
            rows_there ? -1 : 0,
            batch_offset,
            1,
            static_cast<std::int64_t>(count),
            owned->buffers.data(),
            owned->array_pointers.data(),
            nullptr,
            &release<ArrowArray>,
            owned};
    return 0;
  }

  std::vector<HandBatch> batches_;
  HandBatch columns_;
  std::size_t next_ = 0;
};

}  // namespace taut::testing
