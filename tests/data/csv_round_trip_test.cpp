// Random tables are written and read back with the same bits, whatever the size of the buffer.
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/data/csv/plain_number.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/data/csv/scanner.hpp>
#include <taut/data/csv/writer.hpp>

#include <tests/support/files.hpp>

#include <bit>
#include <charconv>
#include <cmath>

namespace taut {
namespace {

double random_number(Random& random) {
  switch (random.below(8)) {
    case 0:
      return missing;
    case 1:
      return static_cast<double>(random.below(100000)) - 50000;
    case 2:
      return std::round(random.normal() * 1e4) / 1e4;
    case 3: {
      const double any = std::bit_cast<double>(random.next());
      return std::isnan(any) ? 0.0 : any;
    }
    case 4:
      return random.below(10) == 0 ? infinity : -0.0;
    default:
      return random.normal();
  }
}

std::string random_text(Random& random) {
  static const std::vector<std::string> pieces = {"a",    "B",  ",", ";", "\t", "|", "\"", "\n",
                                                  "\r\n", "\r", " ", "ü", "1",  "x", "-",  "."};
  std::string text = "t";
  for (Index left = random.below(6); left > 0; --left)
    text += pieces[static_cast<std::size_t>(random.below(static_cast<Index>(pieces.size())))];
  return random.below(5) == 0 ? " " + text + " " : text;
}

Table random_table(Random& random) {
  Table table;
  const Index columns = 1 + random.below(5);
  table.values.resize(1 + random.below(12), columns);
  for (Index c = 0; c < columns; ++c) {
    Column column{std::to_string(c) + std::string(trim(random_text(random))),
                  random.below(3) == 0 ? ColumnKind::category : ColumnKind::number};
    for (Index row = 0; row < table.rows(); ++row) {
      table.values(row, c) = random_number(random);
      if (!column.is_categorical()) continue;
      const std::string text = random_text(random);
      const auto found = std::find(column.categories.begin(), column.categories.end(), text);
      table.values(row, c) = random.below(6) == 0 && row > 0 ? missing : static_cast<double>(found - column.categories.begin());
      if (!std::isnan(table.values(row, c)) && found == column.categories.end()) column.categories.push_back(text);
    }
    column.is_inferred = column.is_categorical();
    table.columns.push_back(column);
  }
  return table;
}

std::string with_line_ends(const std::string& text, const std::string& line_end) {
  std::string result;
  bool in_quotes = false;
  for (const char c : text) {
    if (c == '"') in_quotes = !in_quotes;
    if (c == '\n' && !in_quotes) {
      result += line_end;
    } else {
      result += c;
    }
  }
  return result;
}

void expect_same_table(const Table& got, const Table& expected) {
  ASSERT_EQ(got.columns, expected.columns);
  ASSERT_EQ(got.rows(), expected.rows());
  for (Index i = 0; i < got.values.size(); ++i) {
    const double a = got.values.data()[i];
    const double b = expected.values.data()[i];
    ASSERT_TRUE(std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b)))
        << a << " " << b;
  }
}

TEST(CsvRoundTrip, BitForBitForEveryBuffer) {
  const Folder folder;
  Random random(7);
  for (int round = 0; round < 400; ++round) {
    const Table table = random_table(random);
    const char delimiter = ",;\t|"[random.below(4)];
    std::string text;
    CsvWriter writer(text, delimiter);
    write_table(table, writer);
    writer.finish();
    if (random.below(2) == 0) text = with_line_ends(text, "\r\n");
    if (random.below(2) == 0 && !text.ends_with("\"\n")) text.erase(text.find_last_not_of("\r\n") + 1);
    const std::string path = folder.write("t.csv", text);
    for (const std::size_t buffer :
         {std::size_t{1}, static_cast<std::size_t>(2 + random.below(40)), std::size_t{7}, std::size_t{0}}) {
      SCOPED_TRACE(text + "\nbuffer " + std::to_string(buffer));
      const char given = table.columns.size() == 1 ? delimiter : '\0';  // a single column shows no delimiter
      ASSERT_NO_THROW(read_table(path, {.delimiter = given, .buffer = buffer}));
      expect_same_table(read_table(path, {.delimiter = given, .buffer = buffer}), table);
      expect_same_table(read_table_as(table.columns, path, {.delimiter = given, .buffer = buffer}), table);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

// The eight-digits-at-a-time reader against the general one, on decimals of every length around its limits.
TEST(PlainNumber, IsTheNearestDouble) {
  Random random(3);
  int plain = 0;
  for (int i = 0; i < 300000; ++i) {
    std::string text = random.below(2) == 0 ? "-" : "";
    for (Index n = random.below(9); n > 0; --n) text += static_cast<char>('0' + (random.below(4) == 0 ? 0 : random.below(10)));
    if (random.below(8) != 0) text += '.';
    if (text.find('.') != std::string::npos)
      for (Index n = random.below(22); n > 0; --n) text += static_cast<char>('0' + random.below(10));
    const std::string padded = text + ',' + std::string(plain_number_lookahead, '7');
    double value = missing;
    const char* const end = parse_plain_number(padded.data(), value);
    if (end == nullptr) continue;
    ++plain;
    ASSERT_EQ(end, padded.data() + text.size()) << text;
    const auto expected = parse_number(text);
    ASSERT_TRUE(expected.has_value()) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(*expected)) << text;
  }
  EXPECT_GT(plain, 200000);
}

// Binary fractions with twelve decimals, whose quotient is exact, and their neighbours, where a wrong remainder would show. Then
// numbers halfway between two doubles.
TEST(PlainNumber, RoundsHalvesToEven) {
  Random random(5);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t odd = (std::uint64_t{1} << 53) + 2 * static_cast<std::uint64_t>(random.below(Index{1} << 52)) + 1;
    for (const int step : {-1, 0, 1}) {
      // A whole number of seven digits and j binary digits after the point, in thousandths.
      const unsigned j = 1 + static_cast<unsigned>(random.below(3));
      std::uint64_t thousandths = (odd >> j) % 10'000'000 * 1000 + (odd & ((1U << j) - 1)) * (1000U >> j);
      thousandths += static_cast<std::uint64_t>(static_cast<std::int64_t>(step));
      const std::string fraction = std::to_string(1000 + thousandths % 1000).substr(1);
      const std::string text = std::to_string(thousandths / 1000 % 10'000'000) + "." + fraction + "000000000";
      const std::string padded = text + ',' + std::string(plain_number_lookahead, ' ');
      double value = 0;
      if (parse_plain_number(padded.data(), value) != nullptr) {
        ASSERT_EQ(value, *parse_number(text)) << text;
      }
    }
  }
  // The quotient itself: k = 0 leaves integers beyond 2^53, many of which lie halfway between two doubles.
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t integer = (std::uint64_t{1} << 53) + random.next() % (std::uint64_t{1} << 56);
    EXPECT_EQ(std::bit_cast<double>(plain_number::nearest_quotient(integer, 0)), static_cast<double>(integer));
    EXPECT_EQ(std::bit_cast<double>(plain_number::nearest_double(integer, 0)), static_cast<double>(integer));
  }
}

// The fast path against the division that it replaces, for every power, on random digits and next to the middle of two doubles.
TEST(PlainNumber, TheFastPathIsTheQuotient) {
  Random random(7);
  for (unsigned k = 0; k < 20; ++k)
    for (int i = 0; i < 4000; ++i) {
      std::uint64_t m = random.next() >> random.below(14);
      if (i % 2 == 0) {  // the m whose quotient is nearest to a middle
        const double some = static_cast<double>(m) / plain_number::exact_powers[k];
        const long double middle =
            (static_cast<long double>(some) + static_cast<long double>(std::nextafter(some, infinity))) / 2;
        m = static_cast<std::uint64_t>(
            std::min(1.8e19L, std::round(middle * static_cast<long double>(plain_number::exact_powers[k]))));
      }
      if (m == 0) continue;
      ASSERT_EQ(plain_number::nearest_double(m, k), plain_number::nearest_quotient(m, k)) << m << " / 10^" << k;
    }
}

TEST(CsvWriter, QuotesTextsAndWritesNumbers) {
  std::string text;
  CsvWriter writer(text);
  writer.texts(std::vector<std::string>{"prediction", "a \"b\"", "c;d", ""});
  writer.end_row();
  writer.number(0.1);
  writer.number(-infinity);
  writer.number(missing);
  writer.empty();
  writer.end_row();
  writer.empty();
  writer.end_row();
  EXPECT_EQ(text, "");  // still buffered
  writer.finish();
  EXPECT_EQ(text, "prediction,\"a \"\"b\"\"\",\"c;d\",\n0.1,-inf,,\n\"\"\n");
}

TEST(CsvWriter, FlushesIntoAFile) {
  const Folder folder;
  const std::string path = folder.path("out.csv");
  {
    OutputFile file(path);
    CsvWriter writer(file, ';');
    writer.texts(std::vector<std::string>{"i", "half"});
    writer.end_row();
    for (int i = 0; i < 100000; ++i) {
      writer.number(i);
      writer.number(i / 2.0);
      writer.end_row();
    }
    writer.finish();
    file.commit();
  }
  const Table table = read_table(path);
  ASSERT_EQ(table.rows(), 100000);
  for (Index i = 0; i < table.rows(); ++i) ASSERT_EQ(table.values(i, 1), static_cast<double>(i) / 2);
}

}  // namespace
}  // namespace taut
