// How a table becomes the float matrix that a predictor or a localizer wants.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>
#include <taut/data/table.hpp>

#include <string>
#include <vector>

namespace taut {

// What a part asks of its inputs.
enum class Encoding {
  raw,          // numbers as they are, categories as codes 0, 1, ...; missing cells are NaN (trees)
  standardised  // categories one-hot, everything centred and scaled by the training rows; missing cells refused
};

// Learned on the training rows, kept in the model file.
class Encoder {
 public:
  Encoder() = default;
  // `schema`: the input columns in order. Statistics come from `rows` of `table`.
  Encoder(Encoding encoding, const Table& table, RowsView rows);

  Index columns() const;   // of the result
  MatrixF encode(const Table& table, RowsView rows) const;
  MatrixF encode(const Table& table) const;

  void save(Archive archive) const;
  static Encoder load(const Archive& archive, const std::vector<Column>& schema);

 private:
  Encoding encoding_ = Encoding::raw;
  std::vector<Index> levels_;     // per table column: number of category levels, 0 for a number
  std::vector<double> centre_;    // per encoded column
  std::vector<double> scale_;     // per encoded column; 0 for a constant one, which encodes as 0
};

}  // namespace taut
