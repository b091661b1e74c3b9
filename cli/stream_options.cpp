#include <cli/stream_options.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/model/stream_options.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace taut {

void StreamArguments::add(Arguments& arguments) {
  for_each_stream_option(options_, [&arguments](const OptionText& text, auto& value) { arguments.option(text, value); });
}

StreamOptions StreamArguments::read() const {
  options_.applied_to({}).check();
  return options_;
}

bool StreamArguments::given() const {
  bool any = false;
  for_each_stream_option(options_, [&any]<class T>(const OptionText&, const T& value) {
    if constexpr (std::is_same_v<T, bool>)
      any = any || value;
    else
      any = any || value.has_value();
  });
  return any;
}

std::string StreamArguments::names() {
  std::vector<std::string> all;
  const StreamOptions none;
  for_each_stream_option(none, [&all](const OptionText& text, const auto&) { all.push_back("--" + std::string(text.name)); });
  const std::string last = all.back();
  all.pop_back();
  return join(all, ", ") + " and " + last;
}

void refuse_model_with_past(const Model& model) {
  if (!model.has_past()) return;
  throw Error(
      "some inputs of the model are made from earlier rows (--lags, --rolling), so rows must come in order: use 'taut stream', "
      "'taut update', 'taut evaluate --in-order' or 'taut report --in-order'");
}

TableView inputs_of_stream(const Model& model, const TableView& table) {
  std::vector<Column> inputs = model.input_schema();
  if (model.has_past()) std::erase_if(inputs, [&](const Column& column) { return !find_column(table.columns(), column.name); });
  return table.matched(inputs);
}

void StreamTally::add(const Streamed& streamed) {
  levels_ = streamed.levels;
  covered_.resize(levels_.size());
  infinite_.resize(levels_.size());
  rows_ += streamed.rows();
  targets_ += streamed.targets();
  repeated_ += streamed.repeated_times;
  for (Index row = 0; row < streamed.rows(); ++row) {
    const double y = streamed.y[static_cast<std::size_t>(row)];
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      const Interval& interval = streamed.at(row, level);
      covered_[level] += interval.contains(y) ? 1 : 0;
      infinite_[level] += std::isinf(interval.upper - interval.lower) && !interval.empty() ? 1 : 0;
    }
  }
}

void StreamTally::print_summary(const std::string& what, Index refits, const LevelStream* state, Terminal& terminal) const {
  terminal.say(format_text("{}: {}, {} among them", what, counted(rows_, "row"), counted(targets_, "target")));
  if (repeated_ > 0)
    terminal.say(format_text("{} {} the time of the row before", counted(repeated_, "row"), repeated_ == 1 ? "has" : "have"));
  if (refits > 0) terminal.say("trained anew " + counted(refits, "time"));
  for (std::size_t i = 0; i < levels_.size() && targets_ > 0; ++i) {
    std::string line = format_text("  confidence {}: covered {}", print_number(levels_[i]),
                                   print_rounded(static_cast<double>(covered_[i]) / static_cast<double>(targets_), 4));
    if (state != nullptr) {
      const auto& all = state->levels();
      const auto at = std::lower_bound(all.begin(), all.end(), levels_[i]) - all.begin();
      line += ", asked for now " + print_rounded(state->asked()[static_cast<std::size_t>(at)], 4);
    }
    if (infinite_[i] > 0)
      line += format_text("; {} {} the whole line", counted(infinite_[i], "interval"), infinite_[i] == 1 ? "was" : "were");
    terminal.print(line + "\n");
  }
}

}  // namespace taut
