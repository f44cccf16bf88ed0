import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON into maps, lists, strings, doubles and booleans; the JDK has no reader of its own. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object read(String text) {
        return new Json(text).value();
    }

    private char next() {
        while (Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.charAt(at);
    }

    private Object value() {
        return switch (next()) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Object word(String word, Object value) {
        at += word.length();
        return value;
    }

    private Double number() {
        int from = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return Double.valueOf(text.substring(from, at));
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            char one = text.charAt(at);
            if (one == '\\') {
                one = text.charAt(++at);
                if (one == 'u') {
                    one = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                    at += 4;
                } else if (one == 'n') {
                    one = '\n';
                }
            }
            out.append(one);
        }
        at++;
        return out.toString();
    }

    private Map<String, Object> object() {
        Map<String, Object> all = new LinkedHashMap<>();
        at++;
        while (next() != '}') {
            String key = string();
            next();
            at++;
            all.put(key, value());
            if (next() == ',') {
                at++;
            }
        }
        at++;
        return all;
    }

    private List<Object> list() {
        List<Object> all = new ArrayList<>();
        at++;
        while (next() != ']') {
            all.add(value());
            if (next() == ',') {
                at++;
            }
        }
        at++;
        return all;
    }

    static String quote(String raw) {
        return '"' + raw.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
