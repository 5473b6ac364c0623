package dev.poolkeeper.app.config;

import dev.poolkeeper.core.merge.UpdateModel;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The update models as users write them: {@code diff}, {@code desired-state}. */
public final class ModelNames {

    private ModelNames() {}

    public static String of(UpdateModel model) {
        return model.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<UpdateModel> parse(String name) {
        return Arrays.stream(UpdateModel.values())
                .filter(model -> of(model).equals(name))
                .findFirst();
    }

    /** All names, for a message. */
    public static String all() {
        return Arrays.stream(UpdateModel.values()).map(ModelNames::of).collect(Collectors.joining(", "));
    }
}
