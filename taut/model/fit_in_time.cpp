#include <taut/model/fit_in_time.hpp>

#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/model/fit_rows.hpp>
#include <taut/predict/predictor.hpp>

#include <string>
#include <utility>
#include <vector>

namespace taut {

namespace {

// A fit with more effort than quick takes at least this many times as long. With less time it is not tried.
constexpr double min_ratio_of_efforts = 2;

std::unique_ptr<ModelParts> fitted_with(std::unique_ptr<Task> task, const FitRequest& request, const FitOptions& options,
                                        const ExecutionContext& context) {
  auto parts = fit_parts(std::move(task),
                         {request.table, options, request.plan, context, request.foreign, request.is_held_out, request.inputs});
  parts->options.time.clear();
  return parts;
}

}  // namespace

std::unique_ptr<ModelParts> fit_in_time(std::unique_ptr<Task> task, const FitRequest& request, const TimeBudget& budget) {
  const FitOptions& options = request.options;
  const ExecutionContext& context = request.context;
  if (!options.has_time()) return fit_parts(std::move(task), request);
  const auto chosen = [&](std::unique_ptr<ModelParts> parts) {
    const FitOptions& own = parts->options;
    context.tell(format_text("without --time the same model comes from --effort {} --repeats {}", own.effort, own.repeats));
    return parts;
  };
  if (options.search_effort() == SearchEffort::quick)
    return chosen(fitted_with(std::move(task), request, budget.rest_of(options), context));

  FitOptions of_quick = options;
  of_quick.effort = "quick";
  of_quick.time.clear();
  // What a fit says waits until it is known to be the result.
  std::vector<std::string> said_by_quick, said_by_other;
  ExecutionContext of_first = timed_context(context, [&] { return budget.words(); });
  of_first.say = [&](std::string_view sentence) { said_by_quick.emplace_back(sentence); };
  of_first.details = {};
  const double start = budget.elapsed();
  auto quick = fitted_with(task->unfitted(), request, of_quick, of_first);
  const double seconds_of_quick = budget.elapsed() - start;
  const auto fallen_back = [&](const char* why) {
    for (const auto& sentence : said_by_quick) context.tell(sentence);
    context.tell(why);
    return chosen(std::move(quick));
  };
  if (budget.left() < 0) return fallen_back("even --effort quick took longer than --time; --max-rows saves more");
  if (budget.left() < min_ratio_of_efforts * seconds_of_quick) return fallen_back("--time is too short for more");
  ExecutionContext limited = context;
  limited.say = [&](std::string_view sentence) { said_by_other.emplace_back(sentence); };
  limited.cancelled = [&] { return budget.left() < 0 || (context.cancelled && context.cancelled()); };
  try {
    auto parts = fitted_with(std::move(task), request, budget.rest_of(options), limited);
    for (const auto& sentence : said_by_other) context.tell(sentence);
    return chosen(std::move(parts));
  } catch (const Interrupted&) {
    if (context.cancelled && context.cancelled()) throw;
    return fallen_back("--time was too short for more");
  }
}

}  // namespace taut
