#include <experiments/comparison_splits.hpp>

#include <experiments/protocol.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/data/split.hpp>
#include <taut/plan/columns.hpp>
#include <taut/plan/row_shares.hpp>

#include <algorithm>
#include <array>

namespace taut {

namespace {

constexpr std::uint64_t halving_stream = 102, sample_stream = 103, quarter_stream = 104;
constexpr Index min_groups = 12;         // so that a quarter has three groups
constexpr Index min_rows_of_block = 10;  // fewer test rows give results that are too noisy

Design design_of(const FitOptions& common) {
  if (common.is_in_order()) return Design::time;
  return common.keep_together.empty() ? Design::rows : Design::groups;
}

// Units of a split: single rows, or whole groups. With groups or times, only rows with a target are used.
std::vector<Rows> units_of(const Table& table, const FitOptions& common, const ExecutionContext& context) {
  const bool all = design_of(common) == Design::rows;
  return row_units(table, all ? all_rows(table.rows()) : usable_rows(table, common, {.name = common.target}), common, context);
}

std::vector<Rows> cut_in_two(Index count, Random random) { return parts(count, std::array{0.5, 0.5}, random); }

}  // namespace

// Seeds of quarters are far from those of halves, so that no two fits of a comparison share a seed.
Index seed_of(const ComparisonSplit& split, Index first) {
  const auto tested = static_cast<Index>(split.tested);
  constexpr Index far = 1'000'000;
  return split.within ? first + far + 4 * split.repeat + 2 * static_cast<Index>(*split.within) + tested
                      : first + 2 * split.repeat + tested;
}

ComparedRows::ComparedRows(const Table& table, const FitOptions& common, Index repeats, const ExecutionContext& context)
    : table_(table),
      design_(design_of(common)),
      repeats_(repeats),
      seed_(common.seed),
      gap_(common.gap),
      units_(units_of(table, common, context)) {
  if (design_ == Design::groups && units() < min_groups)
    throw Error(format_text("{}: too few groups of --keep-together to compare methods: at least {} are needed, there are {}",
                            table.source, min_groups, print_count(units())));
  if (design_ == Design::time && rows_of_block() - gap_ < min_rows_of_block)
    throw Error(
        format_text("{}: --repeats {} cuts the later half of {} rows into blocks of {} rows{}; at least {} must be left to test "
                    "on: use a smaller "
                    "--repeats",
                    table.source, repeats, print_count(units()), print_count(rows_of_block()),
                    gap_ > 0 ? ", of which --gap leaves out " + print_count(gap_) : "", min_rows_of_block));
}

Index ComparedRows::rows_of_block() const { return (units() - units() / 2) / repeats_; }

std::vector<ComparisonSplit> ComparedRows::splits() const {
  std::vector<ComparisonSplit> all;
  for (Index repeat = 0; repeat < repeats_; ++repeat)
    for (std::size_t tested = 0; tested < (design_ == Design::time ? 1U : 2U); ++tested) all.push_back({repeat, tested, {}});
  return all;
}

std::vector<ComparisonSplit> ComparedRows::nested() const {
  std::vector<ComparisonSplit> all;
  if (design_ == Design::time) return all;
  for (Index repeat = 0; repeat < repeats_; ++repeat)
    for (const std::size_t half : {0U, 1U})
      for (const std::size_t tested : {0U, 1U}) all.push_back({repeat, tested, half});
  return all;
}

SplitTable ComparedRows::cut(const ComparisonSplit& split) const {
  return design_ == Design::time ? block(split) : halves(split);
}

SplitTable ComparedRows::halves(const ComparisonSplit& split) const {
  const Random random = Random(static_cast<std::uint64_t>(seed_ + split.repeat)).fork(halving_stream);
  auto cut = cut_in_two(units(), random);
  if (split.within) {
    const Rows half = cut[*split.within];
    cut = cut_in_two(std::ssize(half),
                     Random(static_cast<std::uint64_t>(seed_ + split.repeat)).fork(quarter_stream + *split.within));
    for (Rows& quarter : cut)
      for (Index& unit : quarter) unit = half[static_cast<std::size_t>(unit)];
  }
  return {choose_rows(table_, rows_of_units(units_, cut[1 - split.tested])),
          choose_rows(table_, rows_of_units(units_, cut[split.tested]))};
}

SplitTable ComparedRows::block(const ComparisonSplit& split) const {
  const Index half = units() / 2, later = units() - half;
  const Index begin = half + split.repeat * later / repeats_, end = half + (split.repeat + 1) * later / repeats_;
  Rows fitted, tested;
  for (Index unit = 0; unit < begin; ++unit) fitted.push_back(unit);
  for (Index unit = begin + gap_; unit < end; ++unit) tested.push_back(unit);
  return {choose_rows(table_, rows_of_units(units_, fitted)), choose_rows(table_, rows_of_units(units_, tested))};
}

Table sample_of(const Table& table, const FitOptions& common, Index maximum, const ExecutionContext& context) {
  const Design design = design_of(common);
  const ExecutionContext quiet{.threads = context.threads, .cancelled = context.cancelled};
  const std::vector<Rows> units = units_of(table, common, quiet);
  Rows chosen;
  if (design == Design::time) {
    for (Index unit = std::max<Index>(0, std::ssize(units) - maximum); unit < std::ssize(units); ++unit) chosen.push_back(unit);
    return choose_rows(table, rows_of_units(units, chosen));
  }
  Random random = Random(static_cast<std::uint64_t>(common.seed)).fork(sample_stream);
  Index rows = 0;
  for (const Index unit : random.permutation(std::ssize(units))) {
    rows += std::ssize(units[static_cast<std::size_t>(unit)]);
    if (rows > maximum) break;
    chosen.push_back(unit);
  }
  std::sort(chosen.begin(), chosen.end());
  Rows all = rows_of_units(units, chosen);
  std::sort(all.begin(), all.end());
  return choose_rows(table, all);
}

}  // namespace taut
