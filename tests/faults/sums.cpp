// Prints the checksum of one fitted model of every kind, and of its predictions. Two builds of one source for one instruction set
// must print the same: `make sanitize` compares them.
#include <taut/model/file.hpp>
#include <tests/support/small_models.hpp>

#include <array>
#include <cstdio>
#include <string>

int main() {
  using namespace taut;
  const Table table = testing::small_table(400), fresh = testing::small_table(100, 2);
  constexpr std::array<std::array<const char*, 3>, 8> kinds = {{{"boost", "boost", "exp"},
                                                                {"knn", "boost", "exp"},
                                                                {"linear", "boost", "auto"},
                                                                {"linear", "mlp", "exp"},
                                                                {"linear", "mlp", "erc"},
                                                                {"knn", "mlp", "shift"},
                                                                {"boost", "none", "fixed"},
                                                                {"knn", "mlp", "spline"}}};
  for (const auto& [predictor, localizer, transform] : kinds) {
    FitOptions options = testing::quick_options();
    options.predictor = predictor;
    options.localizer = localizer;
    options.transform = transform;
    options.effort = "quick";
    options.hidden = {16, 16};
    options.epochs = 8;
    options.seed = 5;
    const Regressor model = Regressor::fit(table, options, {.threads = 2});
    const Predicted predicted = model.predict_interval(fresh, std::array{0.5, 0.9});
    const std::string_view intervals(reinterpret_cast<const char*>(predicted.intervals.data()),
                                     predicted.intervals.size() * sizeof(Interval));
    std::printf("%s, %s, %s (%s): model %s, intervals %s\n", predictor, localizer, transform, model.transform_name().c_str(),
                checksum_text(stored_checksum(model.to_bytes())).c_str(), checksum_text(checksum(intervals)).c_str());
  }
}
