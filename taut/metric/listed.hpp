// The entry of a metric that is made without an argument.
#pragma once

#include <taut/metric/metric.hpp>

#include <memory>
#include <string>
#include <utility>

namespace taut {

template <class Concrete>
Listed<Metric> listed_metric(std::string name, std::string summary) {
  return {std::move(name), std::move(summary), [](std::string_view) { return std::make_unique<Concrete>(); }};
}

}  // namespace taut
