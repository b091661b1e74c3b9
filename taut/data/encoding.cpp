#include <taut/data/encoding.hpp>

#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/encoding_source.hpp>
#include <taut/data/float_offset.hpp>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

constexpr Index rows_per_block = 2048;
// A standardised input beyond this is no more informative, but its square must fit into a float (distances, networks).
constexpr double most_deviations = 1e9;

}  // namespace

Index Encoder::columns() const {
  Index count = 0;
  for (const Source& source : sources_) count += source.inputs() + source.tells_missing;
  return count;
}

std::vector<Index> Encoder::column_of_inputs() const {
  std::vector<Index> result;
  for (std::size_t c = 0; c < sources_.size(); ++c)
    result.insert(result.end(), static_cast<std::size_t>(sources_[c].inputs() + sources_[c].tells_missing),
                  static_cast<Index>(c));
  return result;
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
    out[at++] = static_cast<float>(std::clamp(deviations, -most_deviations, most_deviations));
  };
  for (std::size_t c = 0; c < sources_.size(); ++c) {
    const Source& source = sources_[c];
    const bool known = source.is_known(row[c]);
    if (known)
      expand(source, bounded(row[c]), nullptr, means.empty() ? nullptr : &means[c],
             [&](double value) { standardise(value - source.offset); });
    else
      for (Index input = 0; input < source.inputs(); ++input) out[at++] = 0;
    if (source.tells_missing != 0) standardise(known ? 0.0 : 1.0);
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

}  // namespace taut
