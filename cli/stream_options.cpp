#include <cli/stream_options.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/model/time_column.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

void StreamArguments::add(Arguments& arguments) {
  arguments.option({"controller", "NAME", "how levels move: " + controllers().in_words() + " (default: the model's, at first dtaci)"},
                   controller_);
  arguments.option({"delay", "N", "targets are known so many rows after their own; learnt from no earlier (default: the model's, at first 0)"},
                   delay_);
  arguments.option({"window", "N",
                    "so many recent scores count (default: the model's, at first as many as calibrated it, from 1,000 to 5,000)"},
                   window_);
  arguments.option({"half-life", "N", "a score that is so many rows old counts half; 0: all of the window alike"}, half_life_);
  arguments.option({"scorecast", "yes|no", "whether the next score is forecast from the last ones (default: the model's, at first yes)"},
                   scorecast_);
  arguments.option({"refit-every", "N",
                    "train f and g anew after every so many rows, on the rows so far; 0: never (default: the model's, at first 0)"},
                   refit_every_);
  arguments.option({"refit-rows", "N", "at most so many of the last rows train (default: the model's, at first 20,000)"}, refit_rows_);
  arguments.flag({"allow-older", "", "take rows that are older than those that the model has seen"}, allow_older_);
}

namespace {

template <class T>
void read_given(std::string_view option, const std::string& text, std::optional<T>& value) {
  if (text.empty()) return;
  T found{};
  read_value(option, text, found);
  value = found;
}

}  // namespace

StreamOptions StreamArguments::read() const {
  StreamOptions options;
  if (!controller_.empty()) options.controller = controller_;
  read_given("--delay", delay_, options.delay);
  read_given("--window", window_, options.window);
  read_given("--half-life", half_life_, options.half_life);
  read_given("--refit-every", refit_every_, options.refit_every);
  read_given("--refit-rows", refit_rows_, options.refit_rows);
  if (!scorecast_.empty() && scorecast_ != "yes" && scorecast_ != "no")
    throw UsageError(unknown_name("value of --scorecast", scorecast_, std::vector<std::string>{"yes", "no"}));
  if (!scorecast_.empty()) options.scorecast = scorecast_ == "yes";
  options.allow_older = allow_older_;
  options.applied_to({}).check();
  return options;
}

bool StreamArguments::given() const {
  for (const auto* text : {&controller_, &scorecast_, &window_, &delay_, &half_life_, &refit_every_, &refit_rows_})
    if (!text->empty()) return true;
  return allow_older_;
}

std::string StreamArguments::names() {
  return "--controller, --delay, --window, --half-life, --scorecast, --refit-every, --refit-rows and --allow-older";
}

void refuse_past(const Model& model) {
  if (!model.has_past()) return;
  throw Error("the model's inputs are made from the rows before (--lags, --rolling), so rows must come in order: use 'taut stream', "
              "'taut update', 'taut evaluate --in-order' or 'taut report --in-order'");
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

void StreamTally::tell(const std::string& what, Index refits, const LevelStream* state, Terminal& terminal) const {
  terminal.say(what + ": " + counted(rows_, "row") + ", " + counted(targets_, "target") + " among them");
  if (repeated_ > 0) terminal.say(counted(repeated_, "row") + (repeated_ == 1 ? " has" : " have") + " the time of the row before");
  if (refits > 0) terminal.say("trained anew " + counted(refits, "time"));
  for (std::size_t i = 0; i < levels_.size() && targets_ > 0; ++i) {
    std::string line = "  confidence " + print_number(levels_[i]) + ": covered " +
                       print_rounded(static_cast<double>(covered_[i]) / static_cast<double>(targets_), 4);
    if (state != nullptr) {
      const auto& all = state->levels();
      const auto at = std::lower_bound(all.begin(), all.end(), levels_[i]) - all.begin();
      line += ", asked for now " + print_rounded(state->asked()[static_cast<std::size_t>(at)], 4);
    }
    if (infinite_[i] > 0) line += "; " + counted(infinite_[i], "interval") + (infinite_[i] == 1 ? " was" : " were") + " the whole line";
    terminal.print(line + "\n");
  }
}

}  // namespace taut
