#include <taut/calibrate/groups/group_columns.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/date_text.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/data/table_view.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace taut {

namespace {

constexpr std::size_t max_unseen_names = 20;

// The k-th of `parts` quantiles: the first value that has at least this share at or below it, so that equal values stay together.
std::vector<double> quantile_cuts(std::vector<double> numbers, Index parts) {
  std::erase_if(numbers, [](double value) { return std::isnan(value); });
  std::sort(numbers.begin(), numbers.end());
  std::vector<double> cuts;
  const auto n = std::ssize(numbers);
  for (Index k = 1; k < parts && n > 0; ++k) {
    const double cut = numbers[static_cast<std::size_t>(std::max<Index>(0, (k * n + parts - 1) / parts - 1))];
    if ((cuts.empty() || cut > cuts.back()) && cut < numbers.back()) cuts.push_back(cut);
  }
  return cuts;
}

}  // namespace

void add_columns(std::vector<Column>& schema, const std::vector<Column>& further) {
  for (const Column& column : further) {
    const auto found = find_column(schema, column.name);
    if (!found)
      schema.push_back(column);
    else if (Column& known = schema[static_cast<std::size_t>(*found)]; known.categories.size() < column.categories.size())
      known.categories = column.categories;
  }
}

void count_values_of_groups(const TableView& batch, const std::vector<Column>& inputs, Mismatches& mismatches) {
  for (std::size_t i = 0; i < batch.columns().size(); ++i) {
    const Column& own = batch.columns()[i];
    const auto input = find_column(inputs, own.name);
    if (!input || inputs[static_cast<std::size_t>(*input)].categories.size() >= own.categories.size()) continue;
    const auto found =
        std::find_if(mismatches.begin(), mismatches.end(), [&](const ColumnMismatches& one) { return one.column == own.name; });
    if (found == mismatches.end()) continue;
    const double first = inputs[static_cast<std::size_t>(*input)].other_code();
    for (Index row = 0; row < batch.rows(); ++row)
      if (const double code = batch(row, static_cast<Index>(i)); code >= first && code < own.other_code())
        found->add(own.categories[static_cast<std::size_t>(code)]);
  }
}

Mismatches mismatches_of_inputs(Mismatches read, const Mismatches& known_to_groups) {
  const auto input = [&](const std::string& name) {
    return std::find_if(known_to_groups.begin(), known_to_groups.end(),
                        [&](const ColumnMismatches& one) { return one.column == name; });
  };
  std::erase_if(read,
                [&](const ColumnMismatches& one) { return one.is_categorical && input(one.column) == known_to_groups.end(); });
  for (ColumnMismatches& one : read)
    if (const auto found = input(one.column); found != known_to_groups.end()) one.append(*found);
  return read;
}

void UnseenGroups::add(const std::string& name) {
  ++rows;
  if (names.size() < max_unseen_names && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

void UnseenGroups::append(const UnseenGroups& later) {
  const Index all = rows + later.rows;
  for (const auto& name : later.names) add(name);
  rows = all;
}

GroupColumns::GroupColumns(const std::vector<std::string>& specifications, const std::string& option, const GroupedRows& rows,
                           const std::vector<Column>& inputs, const GroupedRows& cut_rows) {
  check(specifications, option, rows.table, inputs);
  for (const auto& text : specifications) parts_.push_back(part_of(text, option, rows, inputs, cut_rows));
}

GroupColumns::Part GroupColumns::part_of(const std::string& specification, const std::string& option, const GroupedRows& rows,
                                         const std::vector<Column>& inputs, const GroupedRows& cut_rows) {
  Index n_parts = 0;
  Part part = named_part(specification, option, rows.table, inputs, n_parts);
  if (part.from == From::scale && rows.outputs.cols() <= rows.predictions)
    throw UsageError(
        format_text("{} '{}': this model has one width everywhere, so there is no scale to cut; use prediction:5 or a column",
                    option, specification));
  if (!part.by_quantiles) return part;
  const bool is_known = part.from != From::column || find_column(cut_rows.table.columns(), part.column.name);
  part.cuts = quantile_cuts(cells_of(part, is_known ? cut_rows : rows), n_parts);
  return part;
}

bool GroupColumns::is_number() const {
  return parts_.size() == 1 && !parts_.front().is_cut && !parts_.front().column.is_categorical();
}

std::vector<std::string> GroupColumns::specifications() const {
  std::vector<std::string> result;
  for (const Part& part : parts_) result.push_back(part.specification);
  return result;
}

std::string GroupColumns::describe() const { return join(specifications(), ", "); }

std::vector<Column> GroupColumns::further_columns() const {
  std::vector<Column> result;
  for (const Part& part : parts_)
    if (part.from == From::column && !find_column(result, part.column.name)) result.push_back(part.column);
  return result;
}

std::vector<Column> GroupColumns::value_columns() const {
  std::vector<Column> result;
  for (const Part& part : parts_)
    if (part.from == From::value) result.push_back(part.column);
  return result;
}

std::vector<std::string> GroupColumns::further_cut_columns() const {
  std::vector<std::string> result;
  for (const Part& part : parts_)
    if (part.from == From::column && part.by_quantiles) result.push_back(part.column.name);
  return result;
}

std::vector<double> GroupColumns::cells_of(const Part& part, const GroupedRows& rows) {
  std::vector<double> cells;
  cells.reserve(rows.rows.size());
  if (part.from == From::prediction || part.from == From::scale) {
    for (Index i = 0; i < std::ssize(rows.rows); ++i)
      cells.push_back(part.from == From::prediction ? rows.outputs(i, 0)
                                                    : rows.outputs.row(i).tail(rows.outputs.cols() - rows.predictions).mean());
    return cells;
  }
  const TableView of = part.from == From::input ? rows.x : rows.table.matched({part.column});
  const Index column = part.from == From::input ? of.require(part.column.name) : 0;
  for (const Index row : rows.rows) cells.push_back(of(row, column));
  return cells;
}

// 0 is a missing cell. Parts and categories count from 1; a number that is not cut is encoded by its bits.
std::int64_t GroupColumns::level_of(const Part& part, double cell) {
  if (std::isnan(cell)) return 0;
  if (part.is_cut) return 1 + (std::lower_bound(part.cuts.begin(), part.cuts.end(), cell) - part.cuts.begin());
  if (part.column.is_categorical()) return 1 + static_cast<std::int64_t>(cell);
  return std::bit_cast<std::int64_t>(cell + 0.0) ^ 1;  // so that the number 0 is not level 0
}

std::string GroupColumns::level_name(const Part& part, std::int64_t level) {
  if (level == 0) return "missing";
  if (part.is_cut) {
    const auto at = static_cast<std::size_t>(level - 1);
    if (part.cuts.empty()) return "all";
    if (at == 0) return "up to " + print_rounded(part.cuts.front());
    if (at >= part.cuts.size()) return "above " + print_rounded(part.cuts.back());
    return print_rounded(part.cuts[at - 1]) + " to " + print_rounded(part.cuts[at]);
  }
  if (part.column.is_categorical()) {
    const auto code = static_cast<std::size_t>(level - 1);
    return code < part.column.categories.size() ? part.column.categories[code] : std::string(other);
  }
  const double value = std::bit_cast<double>(level ^ 1);
  if (part.column.kind == ColumnKind::date) return print_date(value);
  if (part.column.kind == ColumnKind::boolean) return value != 0 ? "true" : "false";
  return print_number(value);
}

std::string GroupColumns::name_of(const Key& key) const {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const Part& part = parts_[i];
    const bool plain = !part.is_cut && key[i] != 0 && (part.column.is_categorical() || parts_.size() == 1);
    words.push_back((plain ? "" : part.column.name + " ") + level_name(part, key[i]));
  }
  return join(words, ", ");
}

std::vector<GroupColumns::Key> GroupColumns::keys_of(const GroupedRows& rows) const {
  std::vector<Key> keys(rows.rows.size(), Key(parts_.size()));
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const auto cells = cells_of(parts_[part], rows);
    for (std::size_t i = 0; i < cells.size(); ++i) keys[i][part] = level_of(parts_[part], cells[i]);
  }
  return keys;
}

// The text in the table, if one column defines the groups.
std::string GroupColumns::name_of_unseen(const Key& key, const GroupedRows& rows, std::size_t i) const {
  std::string name = name_of(key);
  const bool has_text = parts_.front().from == From::column || parts_.front().from == From::value;
  if (name != other || parts_.size() != 1 || !has_text) return name;
  const Index column = rows.table.require(parts_.front().column.name);
  const Column& own = rows.table.columns()[static_cast<std::size_t>(column)];
  const double cell = rows.table(rows.rows[i], column);
  if (!own.is_categorical()) return print_number(cell);
  return cell < own.other_code() ? own.categories[static_cast<std::size_t>(cell)] : name;
}

void GroupColumns::number_groups(const std::vector<Key>& keys) {
  group_of_.clear();
  names_.clear();
  for (const Key& key : keys) group_of_.emplace(key, 0);
  for (auto& [key, group] : group_of_) {
    group = std::ssize(names_);
    names_.push_back(name_of(key));
  }
}

// Takes the categories of this table. Those of an input come after the ones that training had.
void GroupColumns::read_values(Part& part, const GroupedRows& rows) {
  if (part.is_cut) return;
  if (part.from == From::column)
    part.column = column_of_values(rows.table.columns()[static_cast<std::size_t>(rows.table.require(part.column.name))]);
  if (part.from != From::value) return;
  part.column.categories.resize(part.trained);
  for (auto& text : unlisted_texts(rows.table, part.column, rows.rows)) part.column.categories.push_back(std::move(text));
}

std::string GroupColumns::unknown_place(const GroupedRows& rows) const {
  for (const Part& part : parts_) {
    if ((part.from != From::value && part.from != From::column) || part.is_cut || !part.column.is_categorical()) continue;
    const auto cells = cells_of(part, rows);
    const auto found = std::find(cells.begin(), cells.end(), part.column.other_code());
    if (found != cells.end())
      return rows.table.where(rows.rows[static_cast<std::size_t>(found - cells.begin())], rows.table.require(part.column.name));
  }
  return {};
}

void GroupColumns::find_groups(const GroupedRows& rows, Unknown unknown) {
  for (Part& part : parts_) read_values(part, rows);
  if (const auto place = unknown == Unknown::refuse ? unknown_place(rows) : std::string(); !place.empty())
    throw Error(place +
                ": the text of this value, and so its group, is unknown, because the table was read with the columns of a "
                "model; read the table without them");
  number_groups(keys_of(rows));
}

std::vector<Index> GroupColumns::groups_of(const GroupedRows& rows, UnseenGroups* unseen) const {
  std::vector<Index> result;
  result.reserve(rows.rows.size());
  for (const Key& key : keys_of(rows)) {
    const auto found = group_of_.find(key);
    result.push_back(found == group_of_.end() ? RowFacts::no_group : found->second);
    if (found == group_of_.end() && unseen != nullptr) unseen->add(name_of_unseen(key, rows, result.size() - 1));
  }
  return result;
}

void GroupColumns::save(Archive archive) const {
  std::vector<std::uint8_t> from, cut;
  std::vector<std::int64_t> keys;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    from.push_back(static_cast<std::uint8_t>(parts_[i].from));
    cut.push_back(parts_[i].is_cut ? (parts_[i].by_quantiles ? 2 : 1) : 0);
    archive.put("cuts" + std::to_string(i), parts_[i].cuts);
    const auto& categories = parts_[i].column.categories;
    if (parts_[i].from == From::value)
      archive.put(
          "values" + std::to_string(i),
          std::vector<std::string>(categories.begin() + static_cast<std::ptrdiff_t>(parts_[i].trained), categories.end()));
  }
  for (const auto& [key, group] : group_of_) keys.insert(keys.end(), key.begin(), key.end());
  archive.put("specifications", specifications());
  std::vector<std::string> names;
  for (const Part& part : parts_) names.push_back(part.column.name);
  archive.put("names", names);
  archive.put("from", from);
  archive.put("is_cut", cut);
  archive.put("keys", keys);
}

GroupColumns GroupColumns::load(const Archive& archive, const std::vector<Column>& known) {
  const auto require = [](bool holds) {
    if (!holds) throw Error("the model file's groups do not fit together: it is damaged");
  };
  const auto& specifications = archive.texts("specifications");
  const auto& names = archive.texts("names");
  const auto& from = archive.get<std::vector<std::uint8_t>>("from");
  const auto& cut = archive.get<std::vector<std::uint8_t>>("is_cut");
  const auto& keys = archive.get<std::vector<std::int64_t>>("keys");
  require(!specifications.empty() && names.size() == specifications.size() && from.size() == names.size() &&
          cut.size() == names.size() && keys.size() % names.size() == 0);
  GroupColumns result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    require(from[i] <= static_cast<std::uint8_t>(From::value) && cut[i] <= 2);
    Part part{.specification = specifications[i], .from = static_cast<From>(from[i]), .column = {names[i]}};
    const auto found = find_column(known, names[i]);
    const bool is_column = part.from == From::input || part.from == From::column || part.from == From::value;
    if (is_column) {
      require(found.has_value());
      part.column = known[static_cast<std::size_t>(*found)];
      require(part.from != From::input || !part.column.is_categorical());
    }
    if (part.from == From::value) {
      require(part.column.is_categorical() && cut[i] == 0);
      part.trained = part.column.categories.size();
      for (const auto& text : archive.texts("values" + std::to_string(i))) part.column.categories.push_back(text);
    }
    part.is_cut = cut[i] > 0;
    part.by_quantiles = cut[i] == 2;
    require(part.is_cut || is_column);
    part.cuts = archive.get<std::vector<double>>("cuts" + std::to_string(i));
    require(std::none_of(part.cuts.begin(), part.cuts.end(), [](double value) { return !std::isfinite(value); }));
    require(std::is_sorted(part.cuts.begin(), part.cuts.end()));
    result.parts_.push_back(std::move(part));
  }
  std::vector<Key> all;
  for (std::size_t at = 0; at < keys.size(); at += names.size()) {
    const auto begin = keys.begin() + static_cast<std::ptrdiff_t>(at);
    all.emplace_back(begin, begin + std::ssize(names));
    for (std::size_t i = 0; i < names.size(); ++i)
      if (result.parts_[i].is_cut || result.parts_[i].column.is_categorical()) require(all.back()[i] >= 0);
  }
  result.number_groups(all);
  require(result.groups() == std::ssize(all));
  return result;
}

}  // namespace taut
