// Learns an encoder from training rows.
#include <taut/data/inputs/encoding_source.hpp>
#include <taut/data/inputs/scaling.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

Encoder::Encoder(Encoding encoding, const std::vector<Column>& columns) : encoding_(encoding) {
  for (const Column& column : columns) {
    Source& source = sources_.emplace_back();
    source.kind = column.kind;
    source.categories = column.is_categorical() ? std::ssize(column.categories) : 0;
    source.one_hot = encoding == Encoding::standardised;
  }
  if (encoding_ == Encoding::raw) codes_.assign(static_cast<std::size_t>(all_categories()), -1);
}

Encoder::Encoder(Encoding encoding, const TableView& table, RowsView rows, RowWeights weights)
    : Encoder(encoding, table.columns()) {
  if (encoding_ == Encoding::raw) {
    auto* codes = codes_.data();
    for (std::size_t c = 0; c < sources_.size(); codes += sources_[c++].categories) learn_appearance(table, rows, c, codes);
  }
  learn(table, rows, weights);
}

Encoder::Encoder(Encoding encoding, const TableView& table, RowsView rows, ColumnMeans means, bool with_counts,
                 RowWeights weights)
    : Encoder(encoding, table.columns()) {
  means_ = std::move(means);
  auto* codes = codes_.data();
  for (std::size_t c = 0; c < sources_.size(); codes += sources_[c++].categories) {
    Source& source = sources_[c];
    if (source.kind != ColumnKind::category) continue;
    if (encoding_ == Encoding::raw) {
      learn_order(means_[c], counted_rows(weights, std::ssize(rows)), codes);
      const bool all_coded = std::none_of(codes, codes + source.categories, [](std::int64_t code) { return code < 0; });
      if (!all_coded) source.category = {.code = true, .mean = true, .count = with_counts};
    } else if (source.categories > max_category_inputs) {
      source.one_hot = false;
      source.category = {.code = false, .mean = true, .count = true};
    }
  }
  if (!uses_means()) means_.clear();
  learn(table, rows, weights);
}

void Encoder::learn(const TableView& table, RowsView rows, RowWeights weights) {
  learn_dates(table, rows);
  learn_offsets(table, rows);
  if (encoding_ == Encoding::standardised) learn_centres(table, rows, weights);
}

void Encoder::learn_dates(const TableView& table, RowsView rows) {
  for (std::size_t c = 0; c < sources_.size(); ++c) {
    Source& source = sources_[c];
    if (source.kind != ColumnKind::date) continue;
    source.date_parts = 1 << static_cast<int>(DatePart::elapsed);  // always an input, so that a column has at least one
    std::vector<double> moments;
    for (const Index row : rows)
      if (const double cell = table(row, static_cast<Index>(c)); std::isfinite(cell)) moments.push_back(cell);
    if (moments.empty()) continue;
    source.origin = *std::min_element(moments.begin(), moments.end());
    const DateParts first = taut::date_parts(moments.front(), source.origin);
    for (const double moment : moments) {
      const DateParts parts = taut::date_parts(moment, source.origin);
      for (std::size_t part = 0; part < date_part_count; ++part)
        if (parts[part] != first[part]) source.date_parts |= static_cast<std::uint8_t>(1 << part);
    }
  }
}

void Encoder::learn_appearance(const TableView& table, RowsView rows, std::size_t column, std::int64_t* codes) const {
  if (sources_[column].kind != ColumnKind::category) return;
  std::int64_t next = 0;
  for (const Index row : rows) {
    const double cell = table(row, static_cast<Index>(column));
    if (sources_[column].has_category(cell) && codes[static_cast<Index>(cell)] < 0) codes[static_cast<Index>(cell)] = next++;
  }
}

void Encoder::learn_order(const CategoryMeans& means, Index rows, std::int64_t* codes) {
  std::vector<std::size_t> coded(means.means.size());
  std::iota(coded.begin(), coded.end(), std::size_t{0});
  std::erase_if(coded, [&](std::size_t category) { return means.counts[category] == 0; });
  if (std::ssize(coded) > CategoryInputs::always_coded) {
    std::erase_if(coded, [&](std::size_t category) { return means.counts[category] < CategoryInputs::rows_of_coded; });
    std::stable_sort(coded.begin(), coded.end(), [&](auto a, auto b) { return means.counts[a] > means.counts[b]; });
    const Index maximum = std::max(CategoryInputs::always_coded, rows / CategoryInputs::rows_per_code);
    coded.resize(static_cast<std::size_t>(std::min(std::ssize(coded), maximum)));
    std::sort(coded.begin(), coded.end());
  }
  std::stable_sort(coded.begin(), coded.end(), [&](auto a, auto b) { return means.means[a] < means.means[b]; });
  for (std::size_t code = 0; code < coded.size(); ++code) codes[coded[code]] = static_cast<std::int64_t>(code);
}

void Encoder::learn_offsets(const TableView& table, RowsView rows) {
  const auto step =
      static_cast<std::size_t>(std::max<Index>(1, (std::ssize(rows) + float_offset_sample - 1) / float_offset_sample));
  for (std::size_t c = 0; c < sources_.size(); ++c) {
    if (sources_[c].kind != ColumnKind::number) continue;
    std::vector<double> sample;
    for (std::size_t i = 0; i < rows.size(); i += step) sample.push_back(table(rows[i], static_cast<Index>(c)));
    sources_[c].offset = float_offset(std::move(sample));
  }
}

void Encoder::learn_centres(const TableView& table, RowsView rows, RowWeights weights) {
  const double all = total_weight(weights, std::ssize(rows));
  for (std::size_t c = 0; c < sources_.size(); ++c) {
    Source& source = sources_[c];
    Rows known;
    std::vector<double> own_weights;
    double absent = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double weight = weight_of(weights, static_cast<Index>(i));
      if (!source.is_known(table(rows[i], static_cast<Index>(c)))) {
        absent += weight;
        continue;
      }
      known.push_back(rows[i]);
      if (!weights.empty()) own_weights.push_back(weight);
    }
    source.kind == ColumnKind::category&& source.one_hot ? learn_shares(table, known, own_weights, c)
                                                         : learn_numbers(table, known, own_weights, c);
    source.missing_indicator = absent > 0 ? 1 : 0;
    if (absent > 0) add_share(std::min(1.0, absent / all));
  }
}

void Encoder::learn_numbers(const TableView& table, const Rows& known, RowWeights weights, std::size_t column) {
  const Source& source = sources_[column];
  for (Index input = 0; input < source.inputs(); ++input) {
    const auto value = [&](Index i) {
      const double cell = table(known[static_cast<std::size_t>(i)], static_cast<Index>(column));
      double found = 0;
      Index at = 0;
      expand(source, bounded(cell), nullptr, means_.empty() ? nullptr : &means_[column], [&](double each) {
        if (at++ == input) found = each - source.offset;
      });
      return found;
    };
    const auto [centre, scale] = centre_and_scale(std::ssize(known), value, weights);
    centre_.push_back(centre);
    scale_.push_back(scale);
  }
}

void Encoder::learn_shares(const TableView& table, const Rows& known, RowWeights weights, std::size_t column) {
  const Index inputs = sources_[column].inputs();
  std::vector<double> counts(static_cast<std::size_t>(inputs));
  for (std::size_t i = 0; i < known.size(); ++i) {
    const double cell = table(known[i], static_cast<Index>(column));
    if (cell >= 0 && cell < static_cast<double>(inputs))
      counts[static_cast<std::size_t>(cell)] += weight_of(weights, static_cast<Index>(i));
  }
  const double all = known.empty() ? 1 : total_weight(weights, std::ssize(known));
  for (const double count : counts) add_share(std::min(1.0, count / all));
}

// A 0-1 input that is 1 in a share p of the rows has mean p and variance p (1 - p).
void Encoder::add_share(double share) {
  centre_.push_back(share);
  scale_.push_back(std::sqrt(share * (1 - share)));
}

}  // namespace taut
