#include <cli/arguments.hpp>
#include <cli/command.hpp>
#include <cli/json.hpp>
#include <cli/output.hpp>
#include <cli/stream_options.hpp>
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/csv/writer.hpp>
#include <taut/data/result_writer.hpp>
#include <taut/data/table_file.hpp>
#include <taut/explain/explainer.hpp>
#include <taut/explain/influence.hpp>
#include <taut/task/number/regressor.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace taut {

namespace {

Json width_json(const ColumnInfluence& one) {
  return {{"column", one.column},
          {"mean_log", json_number(one.width)},
          {"factor", json_number(one.width_factor())},
          {"narrowest", json_number(std::exp(one.narrowest))},
          {"widest", json_number(std::exp(one.widest))}};
}

std::string width_table(const Influence& influence) {
  TextTable table;
  table.row({"column", "usually", "narrowest", "widest"});
  const auto row = [&](const ColumnInfluence& one, const std::string& remark) {
    table.row({one.column, print_rounded(one.width_factor(), 3), print_rounded(std::exp(one.narrowest), 3),
               print_rounded(std::exp(one.widest), 3)},
              remark);
  };
  for (const auto& one : influence.by_width()) row(one, "");
  for (const auto& one : influence.through_prediction())
    row(one, one.column.starts_with("prediction") ? "what the model predicts is itself a reason" : "");
  return table.text();
}

std::string describe_influence(const Influence& influence) {
  std::string text = counted(influence.rows(), "row") + "; a share is what the model uses, not a cause\n";
  if (influence.has_width())
    text += "\nWhat makes intervals wide: how many times wider or narrower a column makes them\n\n" + width_table(influence);
  if (!influence.has_prediction()) return text;
  TextTable table;
  table.row({"column", "mean share"});
  for (const auto& one : influence.by_prediction()) table.row({one.column, print_rounded(one.prediction, 4)});
  return text + "\nWhat drives predictions: the mean size of a column's share, in units of the target\n\n" + table.text();
}

std::string influence_json(const Influence& influence, const std::vector<std::string>& notes) {
  Json prediction = nullptr, width = nullptr;
  if (influence.has_prediction()) {
    prediction = Json::array();
    for (const auto& one : influence.by_prediction())
      prediction.push_back({{"column", one.column}, {"mean_share", json_number(one.prediction)}});
  }
  if (influence.has_width()) {
    Json columns = Json::array(), through = Json::array();
    for (const auto& one : influence.by_width()) columns.push_back(width_json(one));
    for (const auto& one : influence.through_prediction()) through.push_back(width_json(one));
    width = {{"columns", columns}, {"through_prediction", through}};
  }
  return json_text({{"rows", influence.rows()}, {"prediction", prediction}, {"width", width}, {"notes", notes}});
}

constexpr Index rows_explained_at_once = 1 << 12;  // bounds the memory, whatever the size of the file

class Explain final : public Command {
 public:
  void add_options(Arguments& arguments) override {
    arguments.positional("MODEL.taut", "a model that fit or calibrate wrote", model_);
    arguments.positional("NEW.csv", "rows to explain, CSV, Parquet or Arrow; '-' for standard input; no targets are needed",
                         data_);
    arguments.option({"o,output", "FILE",
                      "where the shares go, '-' for standard output; Parquet if it ends in .parquet, Arrow if in .arrow or "
                      ".feather, else CSV"},
                     output_);
    arguments.option({"top", "N", "text instead of numbers: the N largest reasons of each row"}, top_);
    arguments.flag({"summary", "", "over all rows: which columns drive predictions, which drive widths"}, summary_);
    arguments.flag({"json", "", "with --summary, for programs: JSON, full precision"}, json_);
    arguments.option({"confidence", "P", "confidence level of the intervals whose widths are explained"}, options_.confidence);
    arguments.option({"keep", "COL,...", "columns of NEW.csv to copy in front"}, keep_);
    arguments.option({"walks", "N", "sampled orders of the columns, for parts of the model that are not trees; even"},
                     options_.walks);
    arguments.option({"seed", "N", "random seed of the sampled orders"}, seed_);
    arguments.option({"threads", "N", "threads; 0: all cores"}, threads_);
    rows_.add(arguments);
  }

  void run(Terminal& terminal) override {
    check_usage();
    if (output_ != "-") check_output(output_, {model_, data_});
    const Regressor model = as_regressor(
        Model::load(model_), model_,
        format_text("'taut report {} TEST.csv' shows along which columns regions are large and where they fail", model_));
    refuse_model_with_past(model);
    const ExecutionContext context = terminal.context(threads_);
    options_.seed = static_cast<std::uint64_t>(seed_);
    const Explainer explainer = make(model, context);
    if (!summary_ || !json_)
      for (const auto& note : explainer.notes()) terminal.say(note);
    const Kept kept = is_columnar_name(output_) ? Kept::as_arrays : Kept::as_texts;
    const CsvOptions csv = rows_.options(context);
    const auto reader = open_rows(data_, rows_.applied_to(model.prediction_schema(), context), keep_, kept, csv);
    if (summary_)
      summarise(model, explainer, *reader, context);
    else if (top_ > 0)
      write_words(model, explainer, *reader, context);
    else
      write_numbers(model, explainer, *reader, context);
  }

 private:
  void check_usage() const {
    check_confidence(options_.confidence);
    if (top_ < 0) throw UsageError("--top: at least 1 reason, got " + std::to_string(top_));
    if (seed_ < 0) throw UsageError("--seed: at least 0, got " + std::to_string(seed_));
    if (json_ && !summary_)
      throw UsageError("--json belongs to --summary; the shares of rows are CSV, Parquet or Arrow (-o FILE)");
    if (summary_ && top_ > 0) throw UsageError("--summary is about all rows and --top about each: ask for one of them");
    if (top_ > 0 && is_columnar_name(output_)) throw UsageError("--top writes text: give a .txt or .csv file, or no file");
    if ((summary_ || top_ > 0) && !keep_.empty())
      throw UsageError("--keep belongs to the shares of rows, without --summary and --top");
  }

  Explainer make(const Regressor& model, const ExecutionContext& context) const {
    try {
      return Explainer(model, options_, context);
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      throw Error(format_text("{}: {}", model_, error.what()));
    }
  }

  // Calls use(batch, explanation, widths) for every batch of rows, in order.
  template <class Use>
  void for_each_batch(const Regressor& model, const Explainer& explainer, RowReader& reader, const ExecutionContext& context,
                      Use use) const {
    Batch batch;
    while (reader.next(batch, rows_explained_at_once)) {
      std::vector<double> widths;
      const double level = options_.confidence;
      for (const Interval& interval : model.predict_interval(batch.table, {&level, 1}, context).intervals)
        widths.push_back(interval.width());
      use(batch, explainer.explain(batch.table, context), widths);
      if (context.cancelled && context.cancelled()) throw Interrupted();
    }
  }

  std::vector<std::string> names(const Explainer& explainer) const {
    std::vector<std::string> result = {"width"};
    const auto add = [&](const std::string& what, Index count) {
      for (Index c = 0; c < count; ++c) result.push_back(what + ":" + explainer.columns()[static_cast<std::size_t>(c)]);
    };
    const Index all = std::ssize(explainer.columns());
    if (explainer.explains_prediction()) {
      result.insert(result.begin(), {"prediction", "usual_prediction"});
      add("prediction", explainer.inputs());
    }
    if (explainer.explains_width()) {
      result.emplace_back("width_factor");
      add("width", all);
      if (explainer.sides() == 2) {
        add("lower", all);
        add("upper", all);
      }
    }
    for (const auto& name : keep_)
      if (std::find(result.begin(), result.end(), name) != result.end())
        throw UsageError(format_text("--keep: the output already has a column '{}'; rename the one in {}", name, data_));
    return result;
  }

  static Matrix numbers(const Explanation& explanation, const std::vector<double>& widths, Index columns) {
    Matrix result(explanation.rows() > 0 ? explanation.rows() : std::ssize(widths), columns);
    for (Index row = 0; row < result.rows(); ++row) {
      const auto at = static_cast<std::size_t>(row);
      double* out = result.row(row).data();
      if (explanation.prediction) {
        *out++ = explanation.prediction->value[at];
        *out++ = explanation.prediction->base;
      }
      *out++ = widths[at];
      if (explanation.prediction)
        for (const double share : explanation.prediction->shares.row(row)) *out++ = share;
      if (!explanation.width) continue;
      *out++ = explanation.width_factor(row);
      for (const double share : explanation.width->shares.row(row)) *out++ = std::exp(share);
      for (const Attribution& end : explanation.ends)
        for (const double share : end.shares.row(row)) *out++ = std::exp(share);
    }
    return result;
  }

  void write_numbers(const Regressor& model, const Explainer& explainer, RowReader& reader,
                     const ExecutionContext& context) const {
    const auto columns = names(explainer);
    OutputFile file(output_);
    const auto writer = make_result_writer(file, output_, keep_, columns);
    for_each_batch(model, explainer, reader, context,
                   [&](const Batch& batch, const Explanation& explanation, const auto& widths) {
                     const Matrix all = numbers(explanation, widths, std::ssize(columns));
                     const std::vector<double> first(all.col(0).begin(), all.col(0).end());
                     writer->write(batch, first, all.rightCols(all.cols() - 1));
                   });
    writer->finish();
    file.commit();
  }

  // Writes one line for each row; in a .csv file the two columns `row` and `words`.
  void write_words(const Regressor& model, const Explainer& explainer, RowReader& reader, const ExecutionContext& context) const {
    OutputFile file(output_);
    const bool is_csv = output_.ends_with(".csv");
    CsvWriter writer(file);
    if (is_csv) {
      writer.texts(std::vector<std::string>{"row", "words"});
      writer.end_row();
    }
    Index number = 0;
    for_each_batch(model, explainer, reader, context, [&](const Batch&, const Explanation& explanation, const auto& widths) {
      for (Index row = 0; row < std::ssize(widths); ++row) {
        const std::string words = describe_reasons(explanation, row, top_, widths[static_cast<std::size_t>(row)]);
        ++number;
        if (is_csv) {
          writer.number(static_cast<double>(number));
          writer.text(words);
          writer.end_row();
        } else {
          file.write("row " + std::to_string(number) + ": " + words + "\n");
        }
      }
    });
    writer.finish();
    file.commit();
  }

  void summarise(const Regressor& model, const Explainer& explainer, RowReader& reader, const ExecutionContext& context) const {
    Influence influence;
    for_each_batch(model, explainer, reader, context,
                   [&](const Batch&, const Explanation& explanation, const auto&) { influence.add(explanation); });
    if (influence.rows() == 0 && (explainer.explains_prediction() || explainer.explains_width()))
      throw Error(data_ + ": there are no rows to explain");
    const std::string text = json_ ? influence_json(influence, explainer.notes()) : describe_influence(influence);
    if (output_ == "-") {
      write_result(text);
      return;
    }
    OutputFile file(output_);
    file.write(text);
    file.commit();
  }

  std::string model_, data_, output_ = "-";
  Index top_ = 0, seed_ = 0;
  bool summary_ = false, json_ = false;
  ExplainOptions options_;
  std::vector<std::string> keep_;
  int threads_ = 0;
  NewRowsArguments rows_;
};

}  // namespace

Listed<Command> explain_command() {
  return listed_command<Explain>("explain", "says why: each column's share of predictions and widths",
                                 "taut explain houses.taut new.csv -o why.csv");
}

}  // namespace taut
