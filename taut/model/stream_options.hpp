// The options of a stream, and the rows from before it (--history).
#pragma once

#include <taut/model/model.hpp>
#include <taut/model/stream.hpp>
#include <taut/options/options.hpp>

namespace taut {

// Calls visit(OptionText, member) for every option, in the order of --help. Members are std::optional, except for flags.
template <class Options, class Visit>
void for_each_stream_option(Options& options, Visit&& visit) {
  visit(OptionText{"controller", "NAME",
                   "how levels move: " + controllers().describe() + " (default: the model's; for a new model dtaci)"},
        options.controller);
  visit(
      OptionText{
          "delay", "N",
          "a target becomes known N rows after its row and is learnt from no earlier (default: the model's; for a new model "
          "0)"},
      options.delay);
  visit(
      OptionText{
          "window", "N",
          "number of recent scores that count (default: the model's; for a new model as many as calibrated it, from 1,000 to "
          "5,000)"},
      options.window);
  visit(OptionText{"half-life", "N", "a score that is N rows old has half the weight; 0: equal weights in the window"},
        options.half_life);
  visit(OptionText{"scorecast", "yes|no",
                   "whether the next score is forecast from the last ones (default: the model's; for a new model yes)"},
        options.scorecast);
  visit(OptionText{"recentre", "yes|no",
                   "whether intervals move as a whole where errors lie to one side (default: the model's; for a new model yes)"},
        options.recentre);
  visit(OptionText{"at-least", "yes|no",
                   "promise at least the level instead of the level: no set is made empty because targets are missed too rarely "
                   "(default: the model's; for a new model no)"},
        options.at_least);
  visit(OptionText{"refit-every", "N",
                   "refit f and g after every N rows, on the rows so far; 0: never (default: the model's; for a new model 0)"},
        options.refit_every);
  visit(OptionText{"refit-rows", "N", "a refit trains on at most the last N rows (default: the model's; for a new model 20,000)"},
        options.refit_rows);
  visit(
      OptionText{
          "refit-lag", "N",
          "a refit is used N rows after it begins; the old model predicts until then, so that rows of a pipe need not wait; a "
          "file gives the same bits (default: a tenth of --refit-every)"},
      options.refit_lag);
  visit(OptionText{"allow-older", "", "take rows that are older than those that the model has seen"}, options.allow_older);
}

// Takes rows from before a stream (--history), for example those of the fit. Without --refit-every, f and g are trained on all of
// them once, before the first row. With --refit-every, later refits train on them too. Throws UsageError if the model has
// streamed rows already.
void take_history(Model& model, const TableView& before, const StreamOptions& options, const ExecutionContext& context);

}  // namespace taut
