#include <taut/export/onnx_maths.hpp>

#include <taut/data/kinds/date_text.hpp>

#include <algorithm>
#include <functional>
#include <map>

namespace taut {

std::string OnnxMaths::formula(const Formula& formula, const std::vector<std::string>& variables) {
  using Op = Formula::Op;
  static const std::map<Op, std::string> names = {
      {Op::add, "Add"}, {Op::subtract, "Sub"}, {Op::multiply, "Mul"}, {Op::divide, "Div"}, {Op::min, "Min"},
      {Op::max, "Max"}, {Op::abs, "Abs"},      {Op::sqrt, "Sqrt"},    {Op::exp, "Exp"},    {Op::log, "Log"}};
  std::map<const Formula::Node*, std::string> known;
  const std::function<std::string(const Formula&)> write = [&](const Formula& part) -> std::string {
    const auto& node = part.node();
    if (node.op == Op::variable) return variables[static_cast<std::size_t>(node.variable)];
    if (const auto found = known.find(&node); found != known.end()) return found->second;
    std::vector<std::string> of;
    for (const Formula& one : node.of) of.push_back(write(one));
    // Rounding may turn a 0 of the library into a negative number.
    if (node.op == Op::sqrt) of[0] = op("Max", of[0], graph_.constant(0));
    return known[&node] = node.op == Op::constant      ? graph_.constant(node.constant)
                          : node.op == Op::if_negative ? where(op("Less", of[0], graph_.constant(0)), of[1], of[2])
                                                       : graph_.node(names.at(node.op), of);
  };
  return write(formula);
}

std::string OnnxMaths::product(const std::string& x, const std::vector<double>& table, std::int64_t columns) {
  constexpr std::int64_t max_chain = 256;
  const std::int64_t rows = std::ssize(table) / columns;
  std::vector<std::pair<std::int64_t, std::vector<double>>> used;  // the rows of the table that are not 0
  for (std::int64_t k = 0; k < rows; ++k) {
    std::vector<double> own(table.begin() + k * columns, table.begin() + (k + 1) * columns);
    if (std::any_of(own.begin(), own.end(), [](double one) { return one != 0; })) used.emplace_back(k, std::move(own));
  }
  if (used.empty() || std::ssize(used) > max_chain) return op("MatMul", x, graph_.constant(table, {rows, columns}));
  std::string sum;
  for (const auto& [k, own] : used) {
    const std::string one = op("Mul", graph_.columns(x, {k}), row(own));
    sum = sum.empty() ? one : op("Add", sum, one);
  }
  return sum;
}

std::string OnnxMaths::inputs_of(const std::vector<DescribedInput>& inputs) {
  std::vector<std::string> columns;
  for (const DescribedInput& input : inputs) {
    std::string cell = graph_.columns("cells", {input.column});
    if (input.date_part >= 0) cell = date_part(cell, input.origin, input.date_part);
    const std::string is_nan = graph_.node("IsNaN", {cell});
    if (input.orders_infinite) cell = where(is_nan, cell, held(cell, -1e290, 1e290));
    switch (input.kind) {
      case DescribedInput::Kind::number:
        columns.push_back(as_float(plus(cell, -input.offset)));
        break;
      case DescribedInput::Kind::standardised: {
        const std::string bad = op("Or", is_nan, graph_.node("IsInf", {cell}));
        const std::string safe = where(bad, graph_.constant(0), cell);
        const std::string value = plus(plus(safe, -input.offset), -input.centre);
        const std::string scaled =
            input.scale > 0 ? held(op("Div", value, graph_.constant(input.scale)), -1e9, 1e9) : times(value, 0);
        columns.push_back(as_float(where(bad, graph_.constant(0), scaled)));
        break;
      }
      case DescribedInput::Kind::known: {
        const std::string bad = op("Or", is_nan, graph_.node("IsInf", {cell}));
        columns.push_back(where(bad, graph_.constant(static_cast<double>(input.values[1])),
                                graph_.constant(static_cast<double>(input.values[0]))));
        break;
      }
      case DescribedInput::Kind::table: {
        const auto other = static_cast<double>(input.values.size() - 1);
        std::vector<double> table(input.values.begin(), input.values.end());
        table.push_back(static_cast<double>(input.if_missing));
        const std::string known =
            op("And", op("GreaterOrEqual", cell, graph_.constant(0)), op("Less", cell, graph_.constant(other)));
        const std::string place = where(is_nan, graph_.constant(other + 1), where(known, cell, graph_.constant(other)));
        const auto size = static_cast<std::int64_t>(table.size());
        columns.push_back(op("Gather", graph_.constant(table, {size}), graph_.cast(place, OnnxGraph::int64_type)));
        break;
      }
    }
  }
  return columns.size() == 1 ? columns.front() : graph_.concat(columns);
}

// The calendar of taut/data/kinds/date_text.cpp, computed with whole numbers in doubles, which is exact.
std::string OnnxMaths::date_part(const std::string& seconds, double origin, int part) {
  const auto minus = [&](const std::string& a, const std::string& b) { return op("Sub", a, b); };
  const auto over = [&](const std::string& a, double b) { return op("Div", a, graph_.constant(b)); };
  const auto whole = [&](const std::string& a, double b) { return graph_.node("Floor", {over(a, b)}); };
  const auto at_most = [&](const std::string& a, double maximum) { return op("Min", a, graph_.constant(maximum)); };
  const auto which = static_cast<DatePart>(part);
  const std::string bad = op("Or", graph_.node("IsNaN", {seconds}), graph_.node("IsInf", {seconds}));
  const auto finish = [&](const std::string& value) { return where(bad, graph_.constant(missing), value); };
  const std::string moment = held(where(bad, graph_.constant(0), seconds), -1e17, 1e17);
  const std::string days = whole(moment, 86400);
  if (which == DatePart::weekday) return finish(minus(plus(days, 3), times(whole(plus(days, 3), 7), 7)));
  if (which == DatePart::hour) return finish(over(minus(moment, times(days, 86400)), 3600));
  if (which == DatePart::elapsed) return finish(over(plus(moment, -origin), 86400));

  std::string rest = plus(days, 719468);  // days since 0000-03-01
  const std::string cycle = whole(rest, 146097);
  rest = minus(rest, times(cycle, 146097));
  const std::string century = at_most(whole(rest, 36524), 3);
  rest = minus(rest, times(century, 36524));
  const std::string four = whole(rest, 1461);
  rest = minus(rest, times(four, 1461));
  const std::string one = at_most(whole(rest, 365), 3);
  rest = minus(rest, times(one, 365));
  const std::vector<double> before = {0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337};
  const std::string passed = graph_.cast(op("GreaterOrEqual", rest, row(before)), OnnxGraph::double_type);
  const std::string month = plus(sum(passed, 12), -1);
  if (which == DatePart::day) {
    const std::string first = op("Gather", graph_.constant(before, {12}), graph_.cast(month, OnnxGraph::int64_type));
    return finish(plus(minus(rest, first), 1));
  }
  const std::string turned = graph_.cast(op("GreaterOrEqual", month, graph_.constant(10)), OnnxGraph::double_type);
  if (which == DatePart::month) return finish(plus(minus(month, times(turned, 12)), 3));
  std::string year = op("Add", op("Add", times(cycle, 400), times(century, 100)), op("Add", times(four, 4), one));
  year = op("Add", year, turned);
  if (which == DatePart::year) return finish(year);
  year = plus(year, -1);
  const std::string leap_days = op("Add", minus(whole(year, 4), whole(year, 100)), whole(year, 400));
  return finish(plus(minus(days, op("Add", times(year, 365), leap_days)), 719468 - 306 + 1));
}

// A piecewise linear function through (knots[0], first): the sum over pieces of slope · (the part of x in the piece). Each term
// and their sum never fall as x grows, in floating point too.
std::string OnnxMaths::pieces(const std::vector<double>& knots, double first, const std::vector<double>& slopes,
                              const std::string& x) {
  std::string sum = plus(times(plus(op("Min", x, graph_.constant(knots.front())), -knots.front()), slopes.front()), first);
  for (std::size_t k = 0; k < knots.size(); ++k) {
    std::string part = op("Max", x, graph_.constant(knots[k]));
    if (k + 1 < knots.size()) part = op("Min", part, graph_.constant(knots[k + 1]));
    sum = op("Add", sum, times(plus(part, -knots[k]), slopes[k + 1]));
  }
  return sum;
}

// The error of f times the largest slope of the scale in between; near 0, where the slope of a root has no bound, at most
// sqrt(2 slack).
std::pair<std::string, std::string> OnnxMaths::on_scale(const ScoreScale& scale, const std::string& f, const std::string& slack) {
  if (scale.is_identity()) return {f, slack};
  if (const LearnedScale* learned = scale.learned()) {
    const double steepest = *std::max_element(learned->slopes().begin(), learned->slopes().end());
    return {pieces(learned->knots(), learned->values().front(), learned->slopes(), f),
            plus(times(slack, steepest), learned->bound().base * steepest)};
  }
  if (scale.form() == ScaleForm::log) {
    const std::string minimum = graph_.constant(scale.min_centre());
    const std::string error = op("Div", slack, op("Max", op("Sub", f, slack), minimum));
    return {graph_.node("Log", {op("Max", f, minimum)}), plus(error, 1e-14)};
  }
  const std::string size = scale.is_bounded() ? op("Max", f, graph_.constant(0)) : graph_.node("Abs", {f});
  const std::string root = graph_.node("Sqrt", {size});
  const std::string nearest = op("Max", op("Sub", size, slack), slack);
  const std::string error = op("Min", op("Div", slack, graph_.node("Sqrt", {nearest})), graph_.node("Sqrt", {times(slack, 2)}));
  return {scale.is_bounded() ? root : op("Mul", root, graph_.node("Sign", {f})),
          where(op("Greater", slack, graph_.constant(0)), error, times(root, 0))};
}

std::string OnnxMaths::from_scale(const ScoreScale& scale, const std::string& z) {
  if (scale.is_identity()) return z;
  if (const LearnedScale* learned = scale.learned()) {
    std::vector<double> slopes;
    for (const double slope : learned->slopes()) slopes.push_back(1 / slope);
    return pieces(learned->values(), learned->knots().front(), slopes, z);
  }
  if (scale.form() == ScaleForm::log) return graph_.node("Exp", {z});
  const std::string bounded = scale.is_bounded() ? op("Max", z, graph_.constant(0)) : z;
  return op("Mul", bounded, graph_.node("Abs", {bounded}));
}

std::string OnnxMaths::end_from_scale(const ScoreScale& scale, const std::string& z, int direction) {
  const std::string y = from_scale(scale, z);
  if (const LearnedScale* learned = scale.learned()) {
    const auto& [base, of_y, of_z] = learned->bound();
    const std::string error = plus(op("Add", times(graph_.node("Abs", {y}), of_y), times(graph_.node("Abs", {z}), of_z)), base);
    return op(direction > 0 ? "Add" : "Sub", y, times(error, 2));
  }
  const std::string is_infinite = graph_.node("IsInf", {z});
  if (scale.form() != ScaleForm::log) {
    const std::string end = op("Add", y, times(graph_.node("Abs", {y}), direction * 1e-14));
    return direction > 0 || !scale.is_bounded() ? end : where(is_infinite, graph_.constant(-infinity), end);
  }
  const std::string size = where(is_infinite, graph_.constant(0), graph_.node("Abs", {z}));
  const std::string end = op("Mul", y, plus(times(size, direction * 1e-15), 1 + direction * 1e-14));
  if (direction > 0) return end;
  const std::string positive = op("Max", end, graph_.constant(std::numeric_limits<double>::denorm_min()));
  return where(is_infinite, graph_.constant(-infinity), positive);
}

}  // namespace taut
