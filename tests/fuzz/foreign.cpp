// Regressor files of other libraries, any bytes. A model that is accepted predicts without a crash, gives one row the same bits
// as many rows, and is the same after it was written to a model file and read again.
#include <tests/fuzz/target.hpp>

#include <taut/core/error.hpp>
#include <taut/foreign/foreign_forest.hpp>
#include <taut/foreign/read.hpp>

#include <algorithm>
#include <array>
#include <bit>

namespace taut {
namespace {

constexpr std::size_t max_cells = 1 << 16;  // a model may claim millions of columns

std::vector<double> predictions_of(const ForeignModel& model) {
  constexpr std::array cells = {0.0, 1.0, missing, -1e300, 0.25, 1e-40, -0.5, 3e9};
  const ForeignForest forest(model);
  std::vector<double> out(cells.size());
  const auto copy = [&](Index first, Index count, double* to) {
    for (std::size_t f = 0; f < model.features.size(); ++f, to += ForeignCodes::width)
      for (Index i = 0; i < count; ++i) to[i] = cells[(static_cast<std::size_t>(first + i) + f) % cells.size()];
  };
  forest.predict(std::ssize(out), copy, out, 1);
  for (std::size_t row = 0; row < out.size(); ++row) {
    std::vector<double> one;
    for (std::size_t f = 0; f < model.features.size(); ++f) one.push_back(cells[(row + f) % cells.size()]);
    require(std::bit_cast<std::uint64_t>(forest.predict(one.data())) == std::bit_cast<std::uint64_t>(out[row]),
            "one row alone is predicted as among others");
  }
  return out;
}

void check_foreign(std::string_view bytes) {
  ForeignModel model;
  try {
    model = read_foreign(bytes, "the input");
  } catch (const Error&) {
    return;
  }
  if (model.features.size() > max_cells) return;
  const auto predicted = predictions_of(model);
  Archive archive;
  model.save(archive.scope("model"));
  try {
    const ForeignModel back = ForeignModel::load(Archive::decode(archive.encode()).scope("model"));
    const auto again = predictions_of(back);
    require(std::equal(predicted.begin(), predicted.end(), again.begin(),
                       [](double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }),
            "a model that was written and read again predicts the same");
  } catch (const Error& error) {
    require(false, error.what());
  }
}

}  // namespace
}  // namespace taut

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  taut::check_foreign(taut::text_of(data, size));
  return 0;
}
