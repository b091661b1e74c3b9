// Cells as whole numbers: how many thresholds of a column lie below a cell, or which category it is. All comparisons of doubles
// happen here, once for each cell, as the library makes them.
#pragma once

#include <taut/foreign/foreign_model.hpp>

namespace taut {

class ForeignCodes {
 public:
  static constexpr std::size_t width = 128;  // rows that are encoded together

  ForeignCodes() = default;
  explicit ForeignCodes(const ForeignModel& model);

  // A column of codes for each way to treat missing cells that splits of a feature have.
  std::uint32_t columns() const { return static_cast<std::uint32_t>(columns_.size()); }
  std::uint32_t column_of(const ForeignNode& node) const;
  // A code goes right when it is at least this.
  std::uint32_t threshold_of(const ForeignNode& node) const;
  std::size_t most_thresholds() const;
  std::size_t features() const { return features_.size(); }
  bool has_categories() const;

  // Codes of numbers that go right at every threshold, and of categories that are in every set and in none. For narrower codes
  // they are cut to their lowest bits.
  static constexpr std::uint32_t right = 0xFFFFFFFFU, category_in = 0xFFFFFFFFU, category_out = 0xFFFFFFFEU;

  // `cells`: feature after feature, each `width` cells of which `count` are rows. The code of a row in a column goes to
  // out[column · column_step + row · row_step]. The cells are overwritten.
  template <class Code>
  void encode(double* cells, std::size_t count, Code* out, std::size_t column_step, std::size_t row_step) const;

 private:
  struct Feature {
    std::vector<double> thresholds;      // ascending
    std::vector<float> narrow;           // the same, where cells and thresholds are floats: twice as many are compared at once
    std::vector<double> numbers;         // categories that are numbers
    double categories = 0;               // of texts; 0: none
    std::vector<std::uint32_t> columns;  // of codes
    std::int32_t code_of_zero = 0;
  };
  struct CodeColumn {
    bool is_category;
    ForeignMissing missing;
  };

  void prepare(const Feature& feature, double* cells, std::size_t count) const;
  void rank(const Feature& feature, const double* cells, std::size_t count, std::int32_t* ranks) const;
  std::uint32_t category_of(const Feature& feature, double cell) const;

  bool strict_ = false, float_inputs_ = false, tiny_is_zero_ = false;
  std::vector<Feature> features_;
  std::vector<CodeColumn> columns_;
};

}  // namespace taut
