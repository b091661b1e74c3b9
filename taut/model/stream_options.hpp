// How a stream can be asked to go on, and the rows from before it.
#pragma once

#include <taut/model/model.hpp>
#include <taut/model/stream.hpp>
#include <taut/options/options.hpp>

namespace taut {

// Calls visit(OptionText, member) for every option, in the order of --help. Members are optional but for flags.
template <class Options, class Visit>
void for_each_stream_option(Options& options, Visit&& visit) {
  visit(OptionText{"controller", "NAME",
                   "how levels move: " + controllers().in_words() + " (default: the model's, at first dtaci)"},
        options.controller);
  visit(OptionText{"delay", "N",
                   "targets are known so many rows after their own; learnt from no earlier (default: the model's, at first 0)"},
        options.delay);
  visit(OptionText{"window", "N",
                   "so many recent scores count (default: the model's, at first as many as calibrated it, from 1,000 to 5,000)"},
        options.window);
  visit(OptionText{"half-life", "N", "a score that is so many rows old counts half; 0: all of the window alike"},
        options.half_life);
  visit(OptionText{"scorecast", "yes|no",
                   "whether the next score is forecast from the last ones (default: the model's, at first yes)"},
        options.scorecast);
  visit(OptionText{"recentre", "yes|no",
                   "whether intervals move as a whole where errors lie to one side (default: the model's, at first yes)"},
        options.recentre);
  visit(OptionText{"at-least", "yes|no",
                   "promise at least the level instead of the level: no set is made empty because targets are missed too rarely "
                   "(default: the model's, at first no)"},
        options.at_least);
  visit(
      OptionText{"refit-every", "N",
                 "train f and g anew after every so many rows, on the rows so far; 0: never (default: the model's, at first 0)"},
      options.refit_every);
  visit(OptionText{"refit-rows", "N", "at most so many of the last rows train (default: the model's, at first 20,000)"},
        options.refit_rows);
  visit(
      OptionText{
          "refit-lag", "N",
          "so many rows later the new model takes over; rows of a pipe are answered by the old one meanwhile, and a file gives "
          "the same bits (default: a tenth of --refit-every)"},
      options.refit_lag);
  visit(OptionText{"allow-older", "", "take rows that are older than those that the model has seen"}, options.allow_older);
}

// Rows from before a stream, those of the fit for example (--history).

// f and g are trained on all of them, once before the first row; with --refit-every they count among the rows that the model is
// trained on anew. A model that has streamed already is refused: it has its rows.
void take_history(Model& model, const TableView& before, const StreamOptions& options, const ExecutionContext& context);

}  // namespace taut
