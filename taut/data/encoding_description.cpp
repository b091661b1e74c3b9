// An encoder in plain terms: of a category all inputs are a table, of a number they are formulas.
#include <taut/data/inputs/encoding.hpp>

#include <bit>

namespace taut {
namespace {

int nth_bit(unsigned bits, Index n) {
  for (; n > 0; --n) bits &= bits - 1;
  return std::countr_zero(bits);
}

}  // namespace

std::vector<DescribedInput> Encoder::describe(const std::vector<Column>& schema) const {
  const auto encoded = [&](std::size_t column, double cell, std::size_t input) {
    std::vector<double> row(schema.size(), missing);
    row[column] = cell;
    std::vector<float> out(static_cast<std::size_t>(columns()));
    encode_row(row.data(), out.data());
    return out[input];
  };
  std::vector<DescribedInput> inputs;
  for (std::size_t c = 0; c < sources_.size(); ++c) {
    const Source& source = sources_[c];
    const bool is_date = source.kind == ColumnKind::date;
    const Index values = is_date ? std::popcount(source.date_parts) : 1;  // the others say whether the cell is known
    for (Index place = 0; place < source.inputs() + source.tells_missing; ++place) {
      const std::size_t i = inputs.size();
      DescribedInput input{.column = static_cast<Index>(c)};
      if (schema[c].is_categorical()) {
        input.kind = DescribedInput::Kind::table;
        for (std::size_t code = 0; code <= schema[c].categories.size(); ++code)
          input.values.push_back(encoded(c, static_cast<double>(code), i));
        input.if_missing = encoded(c, missing, i);
      } else if (place >= values) {
        input.kind = DescribedInput::Kind::known;
        input.values = {encoded(c, 0, i), encoded(c, missing, i)};
      } else {
        input.kind = encoding_ == Encoding::raw ? DescribedInput::Kind::number : DescribedInput::Kind::standardised;
        input.offset = source.offset;
        if (encoding_ == Encoding::standardised) {
          input.centre = centre_[i];
          input.scale = scale_[i];
        }
        if (is_date) {
          input.date_part = nth_bit(source.date_parts, place);
          input.origin = source.origin;
        }
      }
      inputs.push_back(std::move(input));
    }
  }
  return inputs;
}

}  // namespace taut
