#include <taut/data/encoding.hpp>

#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/data/standardise.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
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

std::vector<Index> category_counts(const std::vector<Column>& columns) {
  std::vector<Index> counts;
  for (const auto& column : columns) counts.push_back(column.is_categorical() ? static_cast<Index>(column.categories.size()) : 0);
  return counts;
}

bool is_category(double cell, Index categories) { return cell >= 0 && cell < static_cast<double>(categories); }

// Does the cell hold anything? `categories` is 0 for a column of numbers. "Other" counts as something.
bool is_known(double cell, Index categories) { return categories == 0 ? std::isfinite(cell) : !std::isnan(cell); }

}  // namespace

Encoder::Encoder(Encoding encoding, const TableView& table, RowsView rows)
    : encoding_(encoding), categories_(category_counts(table.columns())) {
  encoding_ == Encoding::standardised ? learn_centres(table, rows) : learn_codes(table, rows);
}

void Encoder::learn_codes(const TableView& table, RowsView rows) {
  codes_.assign(static_cast<std::size_t>(std::accumulate(categories_.begin(), categories_.end(), Index{0})), -1);
  auto codes = codes_.begin();
  for (std::size_t column = 0; column < categories_.size(); codes += categories_[column++]) {
    if (categories_[column] == 0) continue;
    std::int64_t next = 0;
    for (const Index row : rows) {
      const double cell = table(row, static_cast<Index>(column));
      if (is_category(cell, categories_[column]) && codes[static_cast<Index>(cell)] < 0) codes[static_cast<Index>(cell)] = next++;
    }
  }
}

void Encoder::learn_centres(const TableView& table, RowsView rows) {
  for (std::size_t i = 0; i < categories_.size(); ++i) {
    const auto column = static_cast<Index>(i);
    Rows known;
    for (const Index row : rows)
      if (is_known(table(row, column), categories_[i])) known.push_back(row);
    categories_[i] > 0 ? learn_shares(table, known, column) : learn_numbers(table, known, column);
    const auto absent = static_cast<double>(rows.size() - known.size());
    tells_missing_.push_back(absent > 0 ? 1 : 0);
    if (absent > 0) add_share(absent / static_cast<double>(rows.size()));
  }
}

void Encoder::learn_numbers(const TableView& table, const Rows& known, Index column) {
  const auto [centre, scale] = centre_and_scale(std::ssize(known), [&](Index i) {
    return std::clamp(table(known[static_cast<std::size_t>(i)], column), -most_standardised, most_standardised);
  });
  centre_.push_back(centre);
  scale_.push_back(scale);
}

void Encoder::learn_shares(const TableView& table, const Rows& known, Index column) {
  const Index inputs = inputs_of(static_cast<std::size_t>(column));
  std::vector<double> counts(static_cast<std::size_t>(inputs));
  for (const Index row : known)
    if (is_category(table(row, column), inputs)) counts[static_cast<std::size_t>(table(row, column))] += 1;
  for (const double count : counts) add_share(count / static_cast<double>(std::max<std::size_t>(known.size(), 1)));
}

// A 0-1 input that is 1 in a share p of the rows has mean p and variance p (1 - p).
void Encoder::add_share(double share) {
  centre_.push_back(share);
  scale_.push_back(std::sqrt(share * (1 - share)));
}

Index Encoder::inputs_of(std::size_t column) const {
  if (encoding_ == Encoding::raw || categories_[column] == 0) return 1;
  return std::min(categories_[column], most_category_inputs);
}

Index Encoder::columns() const {
  Index count = 0;
  for (std::size_t column = 0; column < categories_.size(); ++column) count += inputs_of(column);
  return std::accumulate(tells_missing_.begin(), tells_missing_.end(), count);
}

void Encoder::encode_standardised(const double* row, float* out) const {
  std::size_t at = 0;
  const auto standardise = [&](double value) {
    const double deviations = scale_[at] > 0 ? (value - centre_[at]) / scale_[at] : 0.0;
    out[at++] = static_cast<float>(std::clamp(deviations, -most_deviations, most_deviations));
  };
  for (std::size_t i = 0; i < categories_.size(); ++i) {
    const bool known = is_known(row[i], categories_[i]);
    for (Index input = 0; input < inputs_of(i); ++input) {
      if (!known)
        out[at++] = 0;
      else if (categories_[i] == 0)
        standardise(std::clamp(row[i], -most_standardised, most_standardised));
      else
        standardise(row[i] == static_cast<double>(input) ? 1.0 : 0.0);
    }
    if (tells_missing_[i] != 0) standardise(known ? 0.0 : 1.0);
  }
}

void Encoder::encode_raw(const double* row, float* out) const {
  auto codes = codes_.begin();
  for (std::size_t c = 0; c < categories_.size(); codes += categories_[c++]) {
    if (categories_[c] == 0) {
      out[c] = clamp_to_float(row[c]);
      continue;
    }
    const std::int64_t code = is_category(row[c], categories_[c]) ? codes[static_cast<Index>(row[c])] : -1;
    out[c] = code < 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(code);
  }
}

void Encoder::encode_row(const double* row, float* out) const {
  encoding_ == Encoding::standardised ? encode_standardised(row, out) : encode_raw(row, out);
}

template <class RowOf>
MatrixF Encoder::encode_rows(const TableView& table, Index count, RowOf row_of, int threads) const {
  if (category_counts(table.columns()) != categories_)
    throw Error(table.source() + ": its columns are not those that the inputs were learned from; match the table first");
  MatrixF result(count, columns());
  parallel_blocks(count, rows_per_block, threads, [&](Index begin, Index end) {
    std::vector<double> row(categories_.size());
    for (Index i = begin; i < end; ++i) {
      table.copy_row(row_of(i), row.data());
      encode_row(row.data(), result.data() + i * result.cols());
    }
  });
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
  archive.put("levels", std::vector<std::int64_t>(categories_.begin(), categories_.end()));
  archive.put("codes", codes_);
  if (encoding_ == Encoding::standardised) archive.put("missing_inputs", tells_missing_);
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
  encoder.categories_ = category_counts(schema);
  require(std::ranges::equal(archive.get<std::vector<std::int64_t>>("levels"), encoder.categories_),
          "the encoding of the inputs does not fit the columns");
  encoder.codes_ = archive.get<std::vector<std::int64_t>>("codes");
  const Index all_categories = std::accumulate(encoder.categories_.begin(), encoder.categories_.end(), Index{0});
  require(std::ssize(encoder.codes_) == (encoder.encoding_ == Encoding::raw ? all_categories : 0),
          "the wrong number of category codes");
  for (const std::int64_t code : encoder.codes_) require(code >= -1 && code < all_categories, "a category code out of its range");
  if (encoder.encoding_ == Encoding::standardised) {
    encoder.tells_missing_.assign(encoder.categories_.size(), 0);
    if (archive.has("missing_inputs"))  // added later: before, missing cells were refused
      encoder.tells_missing_ = archive.get<std::vector<std::uint8_t>>("missing_inputs");
    require(encoder.tells_missing_.size() == encoder.categories_.size(), "the wrong number of inputs for missing cells");
    for (const std::uint8_t tells : encoder.tells_missing_) require(tells <= 1, "an input for missing cells that is no 0 or 1");
  }
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
