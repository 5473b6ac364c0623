package dev.poolkeeper.app.config;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The allowed values of a key, and how they are read and shown. */
public sealed interface KeyType<T>
        permits NumberTypes.Whole,
                NumberTypes.Seconds,
                NumberTypes.Decimal,
                NumberTypes.Statuses,
                TextTypes.Truth,
                TextTypes.Text,
                TextTypes.Secret,
                TextTypes.Name,
                TextTypes.Names,
                TextTypes.OneOrMore,
                TextTypes.Choice,
                TextTypes.Span,
                Loggers,
                PlaceTypes.IpLiteral,
                PlaceTypes.HttpsAddress,
                PlaceTypes.ExistingFile,
                PlaceTypes.FileNames,
                PlaceTypes.NamedObjects {

    /** The allowed values, in words that follow "must be". */
    String allowed();

    /** The value of a field; null, after reporting a fault, if it is not allowed. */
    @Nullable
    T read(Field field);

    /** The value as shown to users. */
    default String shown(T value) {
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining(", "))
                : value.toString();
    }

    /** Whether the value is the number 0. */
    default boolean isZero(T value) {
        return false;
    }
}
