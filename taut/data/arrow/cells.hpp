// The rows of one column in one batch of an Arrow stream. The structure of the array is checked once, before cells are read.
//
// The interface passes pointers without sizes, so a buffer that is too small cannot be detected. Everything that the structures
// allow is checked.
#pragma once

#include <taut/core/types.hpp>
#include <taut/data/arrow/type.hpp>
#include <taut/data/table_view.hpp>

#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace taut {

class ArrowCells {
 public:
  // Rows [first, first + rows) of `array`, which must outlive this object. `place` is for messages: "new.parquet, column 'x'".
  ArrowCells(const ArrowSchema& field, const ArrowArray& array, Index first, Index rows, std::string place);

  const ArrowType& type() const { return type_; }
  Index rows() const { return rows_; }
  bool is_there(Index row) const { return bits_ == nullptr || bit(bits_, row); }

  // A view of the cells without a copy, for float64 or float32 without missing cells; nothing for others.
  std::optional<CellsView> in_place() const;
  // Reads cells of all types except texts: NaN for a missing cell, dates and durations in seconds, true as 1.
  void read_numbers(double* out) const;
  // The number of whole numbers beyond 2^53, which may be rounded when they become doubles.
  Index count_rounded() const;

  std::string_view text(Index row) const;  // of a column of texts; the cell must not be missing
  // Any cell as text for a CSV file: empty if it is missing, dates in ISO 8601, numbers with the fewest digits.
  std::string printed(Index row) const;
  // For a column of whole numbers: the cell as a position in an array of `count` entries, or an Error.
  Index position(Index row, Index count) const;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  // `row` counts from the first row of this object.
  bool bit(const std::uint8_t* bits, Index row) const {
    const auto at = static_cast<std::uint64_t>(start_ + row);
    return ((bits[at / 8] >> (at % 8)) & 1U) != 0;
  }
  template <class Number>
  Number load(const void* buffer, Index row) const {
    Number number;  // buffers need not be aligned
    std::memcpy(&number, static_cast<const char*>(buffer) + static_cast<std::size_t>(start_ + row) * sizeof number,
                sizeof number);
    return number;
  }
  template <class Number>
  void convert(double* out) const;
  // Calls use(Number{}) with the integer type of the column; does nothing for other types.
  template <class Use>
  void with_integers(Use use) const;
  void convert_instants(double* out) const;
  double decimal(Index row) const;
  const unsigned char* decimal_bytes(Index row) const;
  template <class Offset>
  std::string_view text_at(Index row) const;
  std::string_view viewed_text(Index row) const;
  void check_buffers(const ArrowArray& array);

  ArrowType type_;
  std::string place_;
  Index start_ = 0;  // the first row in the buffers
  Index rows_ = 0;
  const std::uint8_t* bits_ = nullptr;  // validity bits, one per row; nullptr: no cell is missing
  const void** buffers_ = nullptr;
  std::int64_t buffer_count_ = 0;
};

template <class Use>
void ArrowCells::with_integers(Use use) const {
  switch (type_.cells) {
    case ArrowType::Cells::int8:
      return use(std::int8_t{});
    case ArrowType::Cells::uint8:
      return use(std::uint8_t{});
    case ArrowType::Cells::int16:
      return use(std::int16_t{});
    case ArrowType::Cells::uint16:
      return use(std::uint16_t{});
    case ArrowType::Cells::int32:
      return use(std::int32_t{});
    case ArrowType::Cells::uint32:
      return use(std::uint32_t{});
    case ArrowType::Cells::int64:
      return use(std::int64_t{});
    case ArrowType::Cells::uint64:
      return use(std::uint64_t{});
    default:
      return;
  }
}

// IEEE 754 half precision: 1 sign, 5 exponent, 10 fraction bits.
double from_half(std::uint16_t bits);

// The digits of a whole number of 4 to 32 bytes, lowest byte first, divided by 10 ^ scale.
std::string decimal_digits(const unsigned char* bytes, int size, int scale);

}  // namespace taut
