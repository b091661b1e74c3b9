#include <taut/data/encoding.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

namespace taut {
namespace {

constexpr Index rows_per_block = 2048;

float clamp_to_float(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(value < -most ? -most : value > most ? most : value);  // NaN stays NaN
}

// Sums and differences of values up to here stay finite for any number of rows.
constexpr double most_standardised = 1e290;
// A standardised input beyond this is no more informative, but its square must fit into a float (distances, networks).
constexpr double most_deviations = 1e9;

std::vector<Index> level_counts(const std::vector<Column>& columns) {
  std::vector<Index> counts;
  for (const auto& column : columns) counts.push_back(column.is_category ? static_cast<Index>(column.levels.size()) : 0);
  return counts;
}

Index encoded_columns(Encoding encoding, const std::vector<Index>& levels) {
  Index count = 0;
  for (const Index level_count : levels) count += encoding == Encoding::standardised ? std::max<Index>(level_count, 1) : 1;
  return count;
}

bool is_usable(double value, Index levels) {
  return levels == 0 ? std::isfinite(value) : value >= 0 && value < static_cast<double>(levels);
}

[[noreturn]] void refuse(const TableView& table, Index row, Index column) {
  const Column& what = table.columns()[static_cast<std::size_t>(column)];
  const bool is_infinite = std::isinf(table(row, column));
  throw Error(table.where(row, column) + ": the cell is " +
              (is_infinite        ? "infinite"
               : what.is_category ? "missing, or a level that the training rows did not have"
                                  : "missing") +
              ", but this predictor or localizer needs a " + (what.is_category ? "known level" : "finite number") +
              " in every cell; fill the cell, drop the column (--drop), or use the predictor and localizer 'boost', which take " +
              (is_infinite ? "any number" : "missing cells"));
}

// Mean and deviation (population) of one column given as values(row). Differences to the first value keep constant columns
// exactly constant; dividing by the largest deviation keeps squares from over- and underflowing.
template <class Values>
std::pair<double, double> centre_and_scale(RowsView rows, Values values) {
  if (rows.empty()) return {0, 0};
  const double count = static_cast<double>(rows.size());
  const double first = values(rows.front());
  double shift = 0;
  for (const Index row : rows) shift += values(row) - first;
  shift /= count;
  double largest = 0;
  bool is_constant = true;
  for (const Index row : rows) {
    is_constant = is_constant && values(row) == first;
    largest = std::max(largest, std::abs(values(row) - first - shift));
  }
  if (is_constant || !(largest > 0)) return {first, 0};
  double squares = 0;
  for (const Index row : rows) {
    const double share = (values(row) - first - shift) / largest;
    squares += share * share;
  }
  return {first + shift, largest * std::sqrt(squares / count)};
}

}  // namespace

Encoder::Encoder(Encoding encoding, const TableView& table, RowsView rows)
    : encoding_(encoding), levels_(level_counts(table.columns())) {
  encoding_ == Encoding::standardised ? learn(table, rows) : learn_codes(rows, table);
}

void Encoder::learn_codes(RowsView rows, const TableView& table) {
  codes_.assign(static_cast<std::size_t>(std::accumulate(levels_.begin(), levels_.end(), Index{0})), -1);
  auto codes = codes_.begin();
  for (std::size_t column = 0; column < levels_.size(); codes += levels_[column++]) {
    if (levels_[column] == 0) continue;
    std::int64_t next = 0;
    for (const Index row : rows) {
      const double level = table(row, static_cast<Index>(column));
      if (is_usable(level, levels_[column]) && codes[static_cast<Index>(level)] < 0) codes[static_cast<Index>(level)] = next++;
    }
  }
}

void Encoder::learn(const TableView& table, RowsView rows) {
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const auto column = static_cast<Index>(i);
    if (levels_[i] > most_levels)
      throw Error(table.source() + ", column '" + table.columns()[i].name + "': the column has " + print_count(levels_[i]) +
                  " different texts, but this predictor or localizer needs an input for each and takes at most " +
                  print_count(most_levels) + "; drop the column (--drop), or use the predictor and localizer 'boost'");
    for (const Index row : rows)
      if (!is_usable(table(row, column), levels_[i])) refuse(table, row, column);
    if (levels_[i] > 0) {
      learn_shares(table, rows, column);
    } else {
      const auto [centre, scale] = centre_and_scale(
          rows, [&](Index row) { return std::clamp(table(row, column), -most_standardised, most_standardised); });
      centre_.push_back(centre);
      scale_.push_back(scale);
    }
  }
}

// A level that a share p of the rows has is a 0-1 column with mean p and variance p (1 - p).
void Encoder::learn_shares(const TableView& table, RowsView rows, Index column) {
  std::vector<double> shares(static_cast<std::size_t>(levels_[static_cast<std::size_t>(column)]));
  for (const Index row : rows) shares[static_cast<std::size_t>(table(row, column))] += 1;
  for (double share : shares) {
    share /= static_cast<double>(std::max<std::size_t>(rows.size(), 1));
    centre_.push_back(share);
    scale_.push_back(std::sqrt(share * (1 - share)));
  }
}

Index Encoder::columns() const { return encoded_columns(encoding_, levels_); }

bool Encoder::standardise_row(const double* row, float* out) const {
  std::size_t at = 0;
  const auto standardise = [&](double value) {
    const double deviations = scale_[at] > 0 ? (value - centre_[at]) / scale_[at] : 0.0;
    out[at++] = static_cast<float>(std::clamp(deviations, -most_deviations, most_deviations));
  };
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    if (!is_usable(row[i], levels_[i])) return false;
    if (levels_[i] == 0) standardise(std::clamp(row[i], -most_standardised, most_standardised));
    for (Index level = 0; level < levels_[i]; ++level) standardise(row[i] == static_cast<double>(level) ? 1.0 : 0.0);
  }
  return true;
}

bool Encoder::encode_row(const double* row, float* out) const {
  if (encoding_ == Encoding::standardised) return standardise_row(row, out);
  auto codes = codes_.begin();
  for (std::size_t c = 0; c < levels_.size(); codes += levels_[c++]) {
    if (levels_[c] == 0) {
      out[c] = clamp_to_float(row[c]);
      continue;
    }
    const std::int64_t code = is_usable(row[c], levels_[c]) ? codes[static_cast<Index>(row[c])] : -1;
    out[c] = code < 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(code);
  }
  return true;
}

template <class RowOf>
MatrixF Encoder::encode_rows(const TableView& table, Index count, RowOf row_of, int threads) const {
  if (level_counts(table.columns()) != levels_)
    throw Error(table.source() + ": its columns are not those that the inputs were learned from; match the table first");
  const Index width = std::ssize(levels_);
  MatrixF result(count, columns());
  std::atomic<bool> all_usable = true;
  parallel_blocks(count, rows_per_block, threads, [&](Index begin, Index end) {
    std::vector<double> row(static_cast<std::size_t>(width));
    for (Index i = begin; i < end; ++i) {
      table.copy_row(row_of(i), row.data());
      if (!encode_row(row.data(), result.data() + i * result.cols())) all_usable = false;
    }
  });
  if (all_usable) return result;
  // Looked for again in order, so that the cell named does not depend on the threads.
  for (Index i = 0; i < count; ++i)
    for (Index c = 0; c < width; ++c)
      if (!is_usable(table(row_of(i), c), levels_[static_cast<std::size_t>(c)])) refuse(table, row_of(i), c);
  return result;
}

MatrixF Encoder::encode(const TableView& table, RowsView rows, int threads) const {
  return encode_rows(
      table, static_cast<Index>(rows.size()), [&](Index i) { return rows[static_cast<std::size_t>(i)]; }, threads);
}

MatrixF Encoder::encode(const TableView& table, int threads) const {
  return encode_rows(
      table, table.rows(), [](Index i) { return i; }, threads);
}

void Encoder::save(Archive archive) const {
  archive.put("encoding", std::string(encoding_ == Encoding::raw ? "raw" : "standardised"));
  archive.put("levels", std::vector<std::int64_t>(levels_.begin(), levels_.end()));
  archive.put("codes", codes_);
  archive.put("centre", centre_);
  archive.put("scale", scale_);
}

Encoder Encoder::load(const Archive& archive, const std::vector<Column>& schema) {
  const auto require = [](bool holds, const std::string& what) {
    if (!holds) throw Error("the model file is damaged: " + what);
  };
  Encoder encoder;
  const std::string& encoding = archive.text("encoding");
  require(encoding == "raw" || encoding == "standardised", "an unknown encoding of the inputs, '" + encoding + "'");
  encoder.encoding_ = encoding == "raw" ? Encoding::raw : Encoding::standardised;
  encoder.levels_ = level_counts(schema);
  require(std::ranges::equal(archive.get<std::vector<std::int64_t>>("levels"), encoder.levels_),
          "the encoding of the inputs does not fit the columns");
  encoder.codes_ = archive.get<std::vector<std::int64_t>>("codes");
  const Index all_levels = std::accumulate(encoder.levels_.begin(), encoder.levels_.end(), Index{0});
  require(std::ssize(encoder.codes_) == (encoder.encoding_ == Encoding::raw ? all_levels : 0),
          "the wrong number of category codes");
  for (const std::int64_t code : encoder.codes_) require(code >= -1 && code < all_levels, "a category code out of its range");
  encoder.centre_ = archive.get<std::vector<double>>("centre");
  encoder.scale_ = archive.get<std::vector<double>>("scale");
  const auto expected = encoder.encoding_ == Encoding::raw ? std::size_t{0} : static_cast<std::size_t>(encoder.columns());
  require(encoder.centre_.size() == expected && encoder.scale_.size() == expected,
          "the encoding of the inputs has the wrong number of centres or scales");
  for (std::size_t i = 0; i < expected; ++i)
    require(std::isfinite(encoder.centre_[i]) && std::isfinite(encoder.scale_[i]) && encoder.scale_[i] >= 0,
            "a centre or scale of the inputs is not a finite number");
  return encoder;
}

}  // namespace taut
