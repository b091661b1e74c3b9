#include <taut/core/error.hpp>
#include <taut/data/arrow/table.hpp>

#include <tests/data/arrow_support.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace taut {
namespace {

using testing::bits_of;
using testing::Bytes;
using testing::bytes_of;
using testing::HandColumn;
using testing::HandStream;
using testing::numbers;
using testing::texts;

ArrowTable read(HandStream& hand, const CsvOptions& options = {}) {
  ArrowArrayStream stream = hand.make();
  ArrowTable table = read_arrow_table(ArrowStream(stream, "the stream"), options);
  EXPECT_EQ(stream.release, nullptr);
  return table;
}

std::vector<double> column_of(const TableView& view, Index column = 0) {
  std::vector<double> cells;
  for (Index row = 0; row < view.rows(); ++row) cells.push_back(view(row, column));
  return cells;
}

// Two NaN are equal here.
void expect_cells(const TableView& view, Index column, const std::vector<double>& expected) {
  ASSERT_EQ(view.rows(), std::ssize(expected));
  for (Index row = 0; row < view.rows(); ++row) {
    const double cell = view(row, column), wanted = expected[static_cast<std::size_t>(row)];
    EXPECT_TRUE(cell == wanted || (std::isnan(cell) && std::isnan(wanted)))
        << "row " << row << ": " << cell << ", not " << wanted;
  }
}

std::string words_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void expect_broken(HandStream hand, const std::string& words) {
  const std::string message = words_of([&] { read(hand); });
  EXPECT_NE(message.find(words), std::string::npos) << message;
  EXPECT_EQ(hand.open, 0);
}

template <class Number>
void expect_numbers(const std::string& format, const std::vector<Number>& cells, const std::vector<double>& expected,
                    ColumnKind kind) {
  SCOPED_TRACE(format);
  {
    HandStream hand(std::vector{numbers("x", format, cells)});
    const ArrowTable table = read(hand);
    EXPECT_EQ(table.view.columns(), (std::vector<Column>{{"x", kind}}));
    expect_cells(table.view, 0, expected);
  }
  // The same with missing cells, and with an offset.
  std::string there(cells.size(), '1');
  there[1] = '0';
  HandColumn sliced = numbers("x", format, cells, there);
  sliced.offset = 1;
  --sliced.length;
  HandStream hand(std::vector{sliced});
  std::vector<double> rest(expected.begin() + 1, expected.end());
  rest[0] = missing;
  expect_cells(read(hand).view, 0, rest);
  EXPECT_EQ(hand.open, 0);
}

TEST(ArrowStream, numbers_of_every_width) {
  const auto kind = ColumnKind::number;
  expect_numbers<std::int8_t>("c", {-128, 0, 127}, {-128, 0, 127}, kind);
  expect_numbers<std::uint8_t>("C", {0, 1, 255}, {0, 1, 255}, kind);
  expect_numbers<std::int16_t>("s", {-32768, 0, 32767}, {-32768, 0, 32767}, kind);
  expect_numbers<std::uint16_t>("S", {0, 1, 65535}, {0, 1, 65535}, kind);
  expect_numbers<std::int32_t>("i", {-2147483648, 0, 2147483647}, {-2147483648.0, 0, 2147483647}, kind);
  expect_numbers<std::uint32_t>("I", {0, 1, 4294967295U}, {0, 1, 4294967295.0}, kind);
  expect_numbers<std::int64_t>("l", {-9007199254740992, 0, 9007199254740992}, {-9007199254740992.0, 0, 9007199254740992.0}, kind);
  expect_numbers<std::uint64_t>("L", {0, 1, 9007199254740992}, {0, 1, 9007199254740992.0}, kind);
  expect_numbers<float>("f", {-0.5F, 0.1F, INFINITY}, {-0.5, static_cast<double>(0.1F), infinity}, kind);
  expect_numbers<double>("g", {-0.1, 1e300, missing}, {-0.1, 1e300, missing}, kind);
  // Half: 1, the smallest, the largest, −2, infinity.
  expect_numbers<std::uint16_t>("e", {0x3C00, 0x0001, 0x7BFF, 0xC000, 0x7C00}, {1, std::ldexp(1, -24), 65504, -2, infinity},
                                kind);
}

TEST(ArrowStream, dates_are_seconds_since_1970_in_utc) {
  const auto kind = ColumnKind::date;
  expect_numbers<std::int32_t>("tdD", {-1, 0, 20000}, {-86400, 0, 1728000000}, kind);
  expect_numbers<std::int64_t>("tdm", {-86400000, 0, 86400000}, {-86400, 0, 86400}, kind);
  expect_numbers<std::int64_t>("tss:", {-5, 0, 1700000000}, {-5, 0, 1700000000}, kind);
  expect_numbers<std::int64_t>("tsm:Europe/Berlin", {-1500, 0, 1700000000125}, {-1.5, 0, 1700000000.125}, kind);
  expect_numbers<std::int64_t>("tsu:UTC", {-1, 0, 1700000000123456}, {-1e-6, 0, 1700000000.123456}, kind);
  expect_numbers<std::int64_t>("tsn:", {1, 0, 1700000000123456789}, {1e-9, 0, 1700000000.123456789}, kind);
}

TEST(ArrowStream, durations_are_seconds_and_reported) {
  HandStream hand(std::vector{numbers<std::int64_t>("t", "tDm", {1500, -250})});
  const ArrowTable table = read(hand);
  expect_cells(table.view, 0, {1.5, -0.25});
  ASSERT_EQ(table.notes.size(), 1U);
  EXPECT_EQ(table.notes[0], "the stream, column 't': durations and times of day are taken as numbers of seconds");
}

TEST(ArrowStream, decimals_are_the_doubles_next_to_their_digits) {
  // 128 bits: 12.34, −0.01, 2^64 / 100, and 10^30 / 100, which only the general division handles.
  const std::vector<std::uint64_t> cells = {1234, 0, ~std::uint64_t{0},   ~std::uint64_t{0},
                                            0,    1, 0x4674EDEA40000000U, 0xC9F2C9CD0U};
  HandColumn column = numbers("d", "d:38,2", cells);
  column.length = 4;
  HandStream hand(std::vector{column});
  expect_cells(read(hand).view, 0, {12.34, -0.01, 184467440737095516.16, 1e28});
  // 256 bits, and a negative scale.
  HandStream wide(std::vector{[] {
    HandColumn each = numbers<std::uint64_t>("d", "d:76,-3,256", {7, 0, 0, 0});
    each.length = 1;
    return each;
  }()});
  expect_cells(read(wide).view, 0, {7000});
  HandStream small(std::vector{numbers<std::int32_t>("d", "d:9,3,32", {-1500, 1})});
  expect_cells(read(small).view, 0, {-1.5, 0.001});
}

TEST(ArrowStream, booleans_and_columns_of_nothing) {
  HandColumn flags{"flag", "b", 3, {bits_of("1101"), bits_of("1010")}, -1, 1};
  HandColumn nothing{"nothing", "n", 3};
  HandStream hand(std::vector{flags, nothing});
  const ArrowTable table = read(hand);
  EXPECT_EQ(table.view.columns(), (std::vector<Column>{{"flag", ColumnKind::boolean}, {"nothing"}}));
  expect_cells(table.view, 0, {0, missing, 0});
  expect_cells(table.view, 1, {missing, missing, missing});
}

HandColumn viewed_texts() {
  const std::string longer = "a text of more than 12 bytes";
  Bytes views(3 * 16);
  const auto put = [&](std::size_t at, std::int32_t value) { std::memcpy(views.data() + at, &value, 4); };
  put(0, 3);
  std::memcpy(views.data() + 4, "red", 3);
  put(16, static_cast<std::int32_t>(longer.size()) - 2);
  put(24, 0);
  put(28, 2);
  put(32, 3);
  std::memcpy(views.data() + 36, "red", 3);
  return {"c", "vu", 3, {std::nullopt, views, Bytes(longer.begin(), longer.end()), bytes_of<std::int64_t>({std::ssize(longer)})}};
}

TEST(ArrowStream, texts_are_inferred_categories_like_those_of_a_csv_file) {
  const std::vector<std::string> cells = {"red", "", "blue", "NA", "red", "x"};
  const Column expected{"c", ColumnKind::category, {"red", "blue"}, true};
  const std::vector<HandColumn> forms = {texts("c", cells, "111110"), texts<std::int64_t>("c", cells, "111110")};
  for (const HandColumn& column : forms) {
    HandStream hand(std::vector{column});
    const ArrowTable table = read(hand);
    EXPECT_EQ(table.view.columns(), std::vector{expected});
    expect_cells(table.view, 0, {0, missing, 1, missing, 0, missing});
  }
  HandStream hand(std::vector{viewed_texts()});
  const ArrowTable table = read(hand);
  EXPECT_EQ(table.view.columns()[0].categories, (std::vector<std::string>{"red", "text of more than 12 bytes"}));
  expect_cells(table.view, 0, {0, 1, 0});
}

HandColumn coded(const std::vector<std::int8_t>& codes, const std::vector<std::string>& dictionary, std::int64_t flags = 0) {
  HandColumn column = numbers("c", "c", codes);
  column.dictionary = std::make_shared<HandColumn>(texts("", dictionary));
  column.flags = flags;
  return column;
}

TEST(ArrowStream, dictionaries_are_categories_whatever_each_batch_calls_its_codes) {
  HandStream hand(std::vector<HandStream::HandBatch>{{coded({1, 0}, {"a", "b"})}, {coded({0, 1, 2}, {"c", "b", "NA"})}});
  const ArrowTable table = read(hand);
  EXPECT_EQ(table.view.columns(), (std::vector<Column>{{"c", ColumnKind::category, {"b", "a", "c"}, false}}));
  expect_cells(table.view, 0, {0, 1, 2, 0, missing});
  EXPECT_EQ(hand.open, 0);
}

TEST(ArrowStream, ordered_dictionaries_keep_their_order) {
  HandStream hand(std::vector{coded({2, 0}, {"low", "middle", "high"}, ARROW_FLAG_DICTIONARY_ORDERED)});
  const ArrowTable table = read(hand);
  EXPECT_EQ(table.view.columns(), (std::vector<Column>{{"c", ColumnKind::ordered, {"low", "middle", "high"}, false}}));
  expect_cells(table.view, 0, {2, 0});
}

TEST(ArrowStream, floats_of_one_batch_are_read_where_they_lie_and_live_as_long_as_the_view) {
  HandStream hand(std::vector{numbers<double>("x", "g", {1, 2, 3}), numbers<float>("f", "f", {4, 5, 6}),
                              numbers<std::int32_t>("i", "i", {7, 8, 9})});
  {
    std::optional<TableView> matched;
    {
      const ArrowTable table = read(hand);
      EXPECT_EQ(hand.open, 1);  // the batch, whose buffer is used without a copy
      matched = table.view.matched(table.view.columns());
    }
    EXPECT_EQ(hand.open, 1);
    expect_cells(*matched, 0, {1, 2, 3});
    expect_cells(*matched, 1, {4, 5, 6});
    expect_cells(*matched, 2, {7, 8, 9});
  }
  EXPECT_EQ(hand.open, 0);
  // With a missing cell or a second batch the numbers are copied and no batch is kept.
  HandStream gaps(std::vector{numbers<double>("x", "g", {1, 2, 3}, "101")});
  const ArrowTable with_gaps = read(gaps);
  EXPECT_EQ(gaps.open, 0);
  expect_cells(with_gaps.view, 0, {1, missing, 3});
  HandStream batches(std::vector<HandStream::HandBatch>{
      {numbers<float>("x", "f", {1, 2})}, {numbers<float>("x", "f", {})}, {numbers<float>("x", "f", {3})}});
  const ArrowTable of_batches = read(batches);
  EXPECT_EQ(batches.open, 0);
  expect_cells(of_batches.view, 0, {1, 2, 3});
}

TEST(ArrowStream, a_sliced_table_with_missing_rows) {
  HandColumn x = numbers<double>("x", "g", {0, 1, 2, 3, 4, 5});
  x.offset = 1;
  x.length = 5;
  HandStream hand(std::vector{x, texts("c", {"q", "r", "s", "t", "u"})});
  hand.batch_offset = 2;
  hand.batch_length = 3;
  hand.rows_there = "11101";
  const ArrowTable table = read(hand);
  expect_cells(table.view, 0, {3, missing, 5});
  EXPECT_EQ(table.view.columns()[1].categories[0], "s");
  EXPECT_TRUE(std::isnan(table.view(1, 1)));
}

TEST(ArrowStream, a_stream_of_values_is_a_table_of_one_column) {
  HandStream hand(std::vector{numbers<std::int64_t>("", "l", {3, 4})});
  hand.is_single = true;
  const ArrowTable table = read(hand);
  EXPECT_EQ(table.view.columns()[0].name, "values");
  EXPECT_EQ(column_of(table.view), (std::vector<double>{3, 4}));
  EXPECT_EQ(hand.open, 0);
}

TEST(ArrowStream, whole_numbers_that_no_double_holds_are_counted) {
  HandStream hand(std::vector{numbers<std::int64_t>("id", "l", {9007199254740993, 1, -9007199254740993}),
                              numbers<std::uint64_t>("u", "L", {~std::uint64_t{0}, 1, 2})});
  const ArrowTable table = read(hand);
  ASSERT_EQ(table.notes.size(), 2U);
  EXPECT_EQ(table.notes[0].find("the stream, column 'id': 2 whole numbers beyond 2^53 are rounded"), 0U) << table.notes[0];
  EXPECT_EQ(table.notes[1].find("the stream, column 'u': 1 whole number beyond 2^53 is rounded"), 0U) << table.notes[1];
  EXPECT_EQ(table.view(0, 1), 18446744073709551616.0);
}

TEST(ArrowStream, columns_of_other_types_are_left_out_with_a_note_and_refused_where_they_are_used) {
  const std::vector<std::pair<std::string, std::string>> others = {{"+l", "lists"},
                                                                   {"+L", "lists"},
                                                                   {"+w:3", "lists"},
                                                                   {"+vl", "lists"},
                                                                   {"+s", "structures of several values"},
                                                                   {"+m", "maps"},
                                                                   {"+ud:0,1", "unions of several types"},
                                                                   {"+r", "run-end encoded values"},
                                                                   {"z", "bytes"},
                                                                   {"Z", "bytes"},
                                                                   {"vz", "bytes"},
                                                                   {"w:16", "bytes"},
                                                                   {"tiM", "calendar intervals"},
                                                                   {"tin", "calendar intervals"},
                                                                   {"d:x", "decimals of an unknown form"},
                                                                   {"d:38,2,17", "decimals of an unknown form"},
                                                                   {"?", "the Arrow type '?'"},
                                                                   {"", "no type at all"}};
  for (const auto& [format, words] : others) {
    SCOPED_TRACE(format);
    const std::vector<HandColumn> columns = {{"odd", format, 2}, numbers<double>("x", "g", {1, 2})};
    HandStream hand(columns);
    const ArrowTable table = read(hand);
    EXPECT_EQ(table.view.names(), std::vector<std::string>{"x"});
    EXPECT_EQ(table.notes, std::vector{"the stream, column 'odd': left out, it holds " + words});
    for (const CsvOptions& options : {CsvOptions{.numbers = {"odd"}}, CsvOptions{.categories = {"odd"}}}) {
      HandStream used(columns);
      EXPECT_NE(words_of([&] { read(used, options); }).find("the column 'odd' holds " + words), std::string::npos);
      EXPECT_EQ(used.open, 0);
    }
    HandStream dropped(columns);
    EXPECT_TRUE(read(dropped, {.drop = {"odd"}}).notes.empty());
  }
}

TEST(ArrowStream, options_say_what_a_column_is) {
  const std::vector<HandColumn> columns = {texts("y", {"1.5", "NA", " 3"}),
                                           numbers<std::int64_t>("zip", "l", {10115, 80331, 10115}),
                                           HandColumn{"flag", "b", 3, {std::nullopt, bits_of("101")}}};
  HandStream hand(columns);
  const ArrowTable table = read(hand, {.numbers = {"y", "flag"}, .categories = {"zip"}});
  EXPECT_EQ(table.view.columns()[0].kind, ColumnKind::number);
  expect_cells(table.view, 0, {1.5, missing, 3});
  EXPECT_EQ(table.view.columns()[1], (Column{"zip", ColumnKind::category, {"10115", "80331"}, false}));
  expect_cells(table.view, 1, {0, 1, 0});
  EXPECT_EQ(table.view.columns()[2].kind, ColumnKind::number);
  HandStream text(std::vector{texts("y", {"1.5", "abc"})});
  EXPECT_NE(words_of([&] { read(text, {.numbers = {"y"}}); }).find("the stream, row 2, column 'y': found the text 'abc'"),
            std::string::npos);
  HandStream both(columns);
  EXPECT_THROW(read(both, {.numbers = {"y"}, .categories = {"y"}}), UsageError);
  HandStream unknown(columns);
  EXPECT_NE(words_of([&] { read(unknown, {.drop = {"zipp"}}); }).find("did you mean 'zip'?"), std::string::npos);
}

TEST(ArrowStream, broken_streams_are_errors_and_everything_is_released) {
  const HandColumn x = numbers<double>("x", "g", {1, 2});
  HandStream no_schema({x});
  no_schema.schema_code = 22;
  no_schema.error = "out of ideas";
  expect_broken(no_schema, "the columns cannot be read: out of ideas");
  HandStream fails(std::vector<HandStream::HandBatch>{{x}, {x}});
  fails.fails_at = 1;
  expect_broken(fails, "the rows cannot be read: Input/output error");
  HandStream drops(std::vector{x, x});
  drops.drops_a_column = true;
  drops.fails_at.reset();
  expect_broken(HandStream(std::vector{x, x}), "the column 'x' is there more than once");
  HandStream other({x, numbers<double>("z", "g", {1, 2})});
  other.drops_a_column = true;
  expect_broken(other, "a batch has 1 columns, but the table has 2");
  HandStream longer({x});
  longer.batch_length = 3;
  expect_broken(longer, "expected 3 rows, got 2");
  HandStream negative({x});
  negative.batch_offset = -1;
  expect_broken(negative, "an offset or a length is impossible");

  const auto expect_column = [](const std::function<void(HandColumn&)>& damage, HandColumn column, const std::string& words) {
    damage(column);
    expect_broken(HandStream(std::vector{std::move(column)}), words);
  };
  expect_column([](HandColumn& each) { each.offset = -3; }, x, "an offset or a length is impossible");
  expect_column([](HandColumn& each) { each.buffers.pop_back(); }, x, "expected 2 buffers, got 1");
  expect_column([](HandColumn& each) { each.buffers[1].reset(); }, x, "the buffer of the cells is not there");
  expect_column([](HandColumn& each) { each.null_count = 1; }, x, "nothing says which");
  expect_column([](HandColumn& each) { each.name.clear(); }, x, "column 1 has no name");
  const HandColumn c = texts("c", {"ab", "cd"});
  expect_column([](HandColumn& each) { each.buffers[1] = bytes_of<std::int32_t>({0, 2, 1}); }, c, "offsets do not rise at row 2");
  expect_column(
      [](HandColumn& each) {
        each.buffers[1] = bytes_of<std::int32_t>({-4, 2, 4});
      },
      c, "offsets do not rise at row 1");
  expect_column([](HandColumn& each) { each.buffers[2].reset(); }, c, "the buffer of the texts is not there");
  const HandColumn viewed = viewed_texts();
  expect_column([](HandColumn& each) { each.buffers[3] = bytes_of<std::int64_t>({10}); }, viewed, "outside its buffer");
  expect_column([](HandColumn& each) { each.buffers.erase(each.buffers.begin() + 2); }, viewed, "in a buffer that is not there");
  expect_column([](HandColumn& each) { (*each.buffers[1])[3] = static_cast<char>(0x80); }, viewed, "negative length");
  const HandColumn codes = coded({0, 1}, {"a", "b"});
  expect_column(
      [](HandColumn& each) {
        each.buffers[1] = bytes_of<std::int8_t>({0, 2});
      },
      codes, "row 2 points outside its dictionary of 2 entries");
  expect_column(
      [](HandColumn& each) {
        each.buffers[1] = bytes_of<std::int8_t>({-1, 0});
      },
      codes, "row 1 points outside its dictionary of 2 entries");
}

TEST(ArrowStream, a_stream_can_be_read_once) {
  HandStream hand({numbers<double>("x", "g", {1})});
  ArrowArrayStream stream = hand.make();
  { const ArrowStream taken(stream, "the stream"); }
  EXPECT_EQ(hand.open, 0);
  EXPECT_THROW(ArrowStream(stream, "the stream"), Error);
  ArrowArrayStream empty{};
  EXPECT_THROW(ArrowStream(empty, "the stream"), Error);
}

}  // namespace
}  // namespace taut
