#include <taut/data/inputs/encoding.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/inputs/encoding_source.hpp>
#include <taut/data/inputs/scaling.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace taut {

namespace {

constexpr Index rows_per_block = 2048;
// Standardised inputs are clamped here: larger ones are not more informative, and their squares must fit into a float (distances,
// networks).
constexpr double max_deviations = 1e9;

int nth_bit(unsigned bits, Index n) {
  for (; n > 0; --n) bits &= bits - 1;
  return std::countr_zero(bits);
}

}  // namespace

Index Encoder::columns() const {
  Index count = 0;
  for (const Source& source : sources_) count += source.inputs() + source.missing_indicator;
  return count;
}

std::vector<Index> Encoder::column_of_inputs() const {
  std::vector<Index> result;
  for (std::size_t c = 0; c < sources_.size(); ++c)
    result.insert(result.end(), static_cast<std::size_t>(sources_[c].inputs() + sources_[c].missing_indicator),
                  static_cast<Index>(c));
  return result;
}

InputDirections Encoder::directions_of_inputs(const InputDirections& of_columns) const {
  InputDirections result;
  if (of_columns.empty()) return result;
  for (std::size_t c = 0; c < sources_.size(); ++c) {
    const Source& source = sources_[c];
    const bool is_date = source.kind == ColumnKind::date;
    for (Index place = 0; place < source.inputs(); ++place) {
      const auto part = is_date ? static_cast<DatePart>(nth_bit(source.date_parts, place)) : DatePart::elapsed;
      const bool follows = part == DatePart::elapsed || part == DatePart::year;
      result.push_back(follows || !is_monotone(of_columns[c]) ? of_columns[c] : Direction::unused);
    }
    // Rows with a missing cell are not compared.
    if (source.missing_indicator != 0) result.push_back(of_columns[c] == Direction::unused ? Direction::unused : Direction::any);
  }
  return result;
}

void Encoder::order_infinite(const InputDirections& of_columns) {
  if (encoding_ != Encoding::standardised) return;
  for (std::size_t c = 0; c < of_columns.size(); ++c)
    if (sources_[c].kind == ColumnKind::number && is_monotone(of_columns[c])) sources_[c].orders_infinite = 1;
}

bool Encoder::uses_means() const {
  return std::any_of(sources_.begin(), sources_.end(), [](const Source& source) { return source.category.mean; });
}

void Encoder::encode_raw(const double* row, const ColumnMeans& means, float* out) const {
  const std::int64_t* codes = codes_.data();
  for (std::size_t c = 0; c < sources_.size(); codes += sources_[c++].categories) {
    const Source& source = sources_[c];
    const CategoryMeans* own = means.empty() ? nullptr : &means[c];
    expand(source, row[c], codes, own, [&](double value) { *out++ = to_float(value - source.offset); });
  }
}

void Encoder::encode_standardised(const double* row, const ColumnMeans& means, float* out) const {
  std::size_t at = 0;
  const auto standardise = [&](double value) {
    const double deviations = scale_[at] > 0 ? (value - centre_[at]) / scale_[at] : 0.0;
    out[at++] = static_cast<float>(std::clamp(deviations, -max_deviations, max_deviations));
  };
  for (std::size_t c = 0; c < sources_.size(); ++c) {
    const Source& source = sources_[c];
    const bool known = source.is_known(row[c]);
    if (known)
      expand(source, bounded(row[c]), nullptr, means.empty() ? nullptr : &means[c],
             [&](double value) { standardise(value - source.offset); });
    else
      for (Index input = 0; input < source.inputs(); ++input) out[at++] = 0;
    if (source.missing_indicator != 0) standardise(known ? 0.0 : 1.0);
  }
}

void Encoder::encode_row(const double* row, const ColumnMeans& means, float* out) const {
  encoding_ == Encoding::standardised ? encode_standardised(row, means, out) : encode_raw(row, means, out);
}

template <class RowOf, class MeansOf>
MatrixF Encoder::encode_rows(const TableView& table, Index count, RowOf row_of, MeansOf means_of, int threads) const {
  const auto fits = [](const Column& column, const Source& source) {
    return (column.is_categorical() ? std::ssize(column.categories) : 0) == source.categories &&
           (column.kind == ColumnKind::date) == (source.kind == ColumnKind::date);
  };
  if (!std::equal(table.columns().begin(), table.columns().end(), sources_.begin(), sources_.end(), fits))
    throw Error(table.source() + ": its columns are not those that the inputs were learned from; match the table first");
  const TracedPart traced("encode");
  MatrixF result(count, columns());
  parallel_blocks(count, rows_per_block, threads, [&](Index begin, Index end) {
    std::vector<double> row(sources_.size());
    for (Index i = begin; i < end; ++i) {
      table.copy_row(row_of(i), row.data());
      encode_row(row.data(), means_of(i), result.data() + i * result.cols());
    }
  });
  return result;
}

MatrixF Encoder::encode(const TableView& table, RowsView rows, const MeansOfRow& means, int threads) const {
  const auto row_of = [&](Index i) { return rows[static_cast<std::size_t>(i)]; };
  return encode_rows(table, std::ssize(rows), row_of, means, threads);
}

MatrixF Encoder::encode(const TableView& table, RowsView rows, int threads) const {
  return encode(
      table, rows, [&](Index) -> const ColumnMeans& { return means_; }, threads);
}

MatrixF Encoder::encode(const TableView& table, int threads) const {
  return encode_rows(
      table, table.rows(), [](Index i) { return i; }, [&](Index) -> const ColumnMeans& { return means_; }, threads);
}

// Saving to the model file and loading from it. Loading checks everything that it reads.

namespace {

void require(bool holds, const std::string& what) {
  if (!holds) throw Error("the model file is damaged: " + what);
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

Index Encoder::all_categories() const {
  return std::accumulate(sources_.begin(), sources_.end(), Index{0},
                         [](Index sum, const Source& one) { return sum + one.categories; });
}

void Encoder::save(Archive archive) const {
  archive.put("encoding", std::string(encoding_ == Encoding::raw ? "raw" : "standardised"));
  std::vector<std::int64_t> levels;
  std::vector<std::uint8_t> missing_inputs, infinite;
  for (const Source& source : sources_) {
    levels.push_back(source.categories);
    missing_inputs.push_back(source.missing_indicator);
    infinite.push_back(source.orders_infinite);
  }
  archive.put("levels", levels);
  archive.put("codes", codes_);
  if (encoding_ == Encoding::standardised) archive.put("missing_inputs", missing_inputs);
  if (std::find(infinite.begin(), infinite.end(), 1) != infinite.end()) archive.put("ordered_infinite", infinite);
  archive.put("centre", centre_);
  archive.put("scale", scale_);
  save_offsets(archive);
  save_dates(archive);
  save_means(archive);
}

void Encoder::save_offsets(Archive archive) const {
  std::vector<double> offsets;
  for (const Source& source : sources_) offsets.push_back(source.offset);
  if (std::any_of(offsets.begin(), offsets.end(), [](double offset) { return offset != 0; })) archive.put("offsets", offsets);
}

void Encoder::load_offsets(const Archive& archive) {
  if (!archive.has("offsets")) return;
  const auto& offsets = archive.get<std::vector<double>>("offsets");
  require(offsets.size() == sources_.size() && all_finite(offsets), "the offsets of its inputs are invalid");
  for (std::size_t c = 0; c < sources_.size(); ++c) {
    require(offsets[c] == 0 || sources_[c].kind == ColumnKind::number, "an offset of a column that has no numbers");
    sources_[c].offset = offsets[c];
  }
}

void Encoder::save_dates(Archive archive) const {
  std::vector<std::uint8_t> parts;
  std::vector<double> origins;
  for (const Source& source : sources_) {
    if (source.kind != ColumnKind::date) continue;
    parts.push_back(source.date_parts);
    origins.push_back(source.origin);
  }
  if (parts.empty()) return;
  archive.put("date_parts", parts);
  archive.put("date_origins", origins);
}

void Encoder::load_dates(const Archive& archive) {
  const auto is_date = [](const Source& source) { return source.kind == ColumnKind::date; };
  const auto dates = static_cast<std::size_t>(std::count_if(sources_.begin(), sources_.end(), is_date));
  if (dates == 0) return;
  const auto& parts = archive.get<std::vector<std::uint8_t>>("date_parts");
  const auto& origins = archive.get<std::vector<double>>("date_origins");
  require(parts.size() == dates && origins.size() == dates && all_finite(origins), "the inputs of its dates are invalid");
  std::size_t date = 0;
  for (Source& source : sources_) {
    if (!is_date(source)) continue;
    require(parts[date] > 0 && parts[date] < 1 << date_part_count, "a date without inputs, or with unknown ones");
    source.date_parts = parts[date];
    source.origin = origins[date++];
  }
}

void Encoder::save_means(Archive archive) const {
  if (means_.empty()) return;
  std::vector<std::uint8_t> inputs;
  std::vector<double> overall, means;
  std::vector<std::int64_t> counts;
  for (std::size_t c = 0; c < sources_.size(); ++c) {
    const CategoryInputs& own = sources_[c].category;
    inputs.push_back(static_cast<std::uint8_t>((own.code ? 1 : 0) + (own.mean ? 2 : 0) + (own.count ? 4 : 0)));
    if (!own.mean) continue;
    overall.push_back(means_[c].mean);
    means.insert(means.end(), means_[c].means.begin(), means_[c].means.end());
    counts.insert(counts.end(), means_[c].counts.begin(), means_[c].counts.end());
  }
  archive.put("category_inputs", inputs);
  archive.put("category_mean", overall);
  archive.put("category_means", means);
  archive.put("category_counts", counts);
}

void Encoder::load_means(const Archive& archive) {
  if (!archive.has("category_inputs")) return;  // no category has a mean
  const auto& inputs = archive.get<std::vector<std::uint8_t>>("category_inputs");
  const auto& overall = archive.get<std::vector<double>>("category_mean");
  const auto& means = archive.get<std::vector<double>>("category_means");
  const auto& counts = archive.get<std::vector<std::int64_t>>("category_counts");
  const std::string damage = "the means of its categories do not fit the columns";
  require(inputs.size() == sources_.size() && all_finite(overall) && all_finite(means) && counts.size() == means.size(), damage);
  require(std::all_of(counts.begin(), counts.end(), [](std::int64_t count) { return count >= 0; }), damage);
  means_.resize(sources_.size());
  std::size_t column = 0, first = 0;
  for (std::size_t c = 0; c < sources_.size(); ++c) {
    Source& source = sources_[c];
    require(inputs[c] < 8, damage);
    source.category = {.code = (inputs[c] & 1) != 0, .mean = (inputs[c] & 2) != 0, .count = (inputs[c] & 4) != 0};
    require(source.category.mean || !source.category.count, damage);
    if (!source.category.mean) continue;
    require(source.kind == ColumnKind::category && !(encoding_ == Encoding::standardised && source.category.code), damage);
    source.one_hot = false;
    const auto size = static_cast<std::size_t>(source.categories);
    require(column < overall.size() && first + size <= means.size(), damage);
    const auto from = static_cast<std::ptrdiff_t>(first), to = static_cast<std::ptrdiff_t>(first + size);
    means_[c] = {overall[column++], {means.begin() + from, means.begin() + to}, {counts.begin() + from, counts.begin() + to}};
    first += size;
  }
  require(column == overall.size() && first == means.size(), damage);
}

void Encoder::load_missing_inputs(const Archive& archive) {
  if (encoding_ != Encoding::standardised) return;
  const auto& indicators = archive.get<std::vector<std::uint8_t>>("missing_inputs");
  require(indicators.size() == sources_.size(), "the wrong number of inputs for missing cells");
  for (std::size_t c = 0; c < indicators.size(); ++c) {
    require(indicators[c] <= 1, "an input for missing cells is not 0 or 1");
    sources_[c].missing_indicator = indicators[c];
  }
}

void Encoder::load_infinite(const Archive& archive) {
  if (!archive.has("ordered_infinite")) return;
  const auto& infinite = archive.get<std::vector<std::uint8_t>>("ordered_infinite");
  require(encoding_ == Encoding::standardised && infinite.size() == sources_.size(), "a wrong treatment of infinite cells");
  for (std::size_t c = 0; c < infinite.size(); ++c) {
    require(infinite[c] <= (sources_[c].kind == ColumnKind::number ? 1 : 0), "a wrong treatment of infinite cells");
    sources_[c].orders_infinite = infinite[c];
  }
}

Encoder Encoder::load(const Archive& archive, const std::vector<Column>& schema) {
  const std::string& encoding = archive.text("encoding");
  require(encoding == "raw" || encoding == "standardised", format_text("an unknown encoding of the inputs, '{}'", encoding));
  Encoder encoder(encoding == "raw" ? Encoding::raw : Encoding::standardised, schema);
  const auto& levels = archive.get<std::vector<std::int64_t>>("levels");
  require(std::equal(levels.begin(), levels.end(), encoder.sources_.begin(), encoder.sources_.end(),
                     [](std::int64_t count, const Source& source) { return count == source.categories; }),
          "the encoding of the inputs does not fit the columns");
  const Index all = encoder.all_categories();
  const auto& codes = archive.get<std::vector<std::int64_t>>("codes");
  require(codes.size() == encoder.codes_.size(), "the wrong number of category codes");
  encoder.codes_ = codes;
  for (const std::int64_t code : encoder.codes_) require(code >= -1 && code < all, "a category code out of its range");
  encoder.load_missing_inputs(archive);
  encoder.load_infinite(archive);
  encoder.load_offsets(archive);
  encoder.load_dates(archive);
  encoder.load_means(archive);
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
    const Index values = is_date ? std::popcount(source.date_parts) : 1;  // the others mark missing cells
    for (Index place = 0; place < source.inputs() + source.missing_indicator; ++place) {
      const std::size_t i = inputs.size();
      DescribedInput input{.column = static_cast<Index>(c), .orders_infinite = source.orders_infinite != 0};
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
