package dev.poolkeeper.app.config;

import dev.poolkeeper.app.config.TextTypes.Name;
import dev.poolkeeper.azure.pool.LoadBalancerSelection;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Selects the load balancers of this cluster. Names take precedence over a tag. */
final class LoadBalancerKeys {

    /** Source: <a href="https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources">tags</a>. */
    static final Name TAG_NAME = new Name(
            Pattern.compile("[^<>%&\\\\?/]*"), 512, "a tag's name of at most 512 characters without < > % & \\ ? /");

    static final Name TAG_VALUE = new Name(Pattern.compile(".*"), 256, "a tag's value of at most 256 characters");

    private LoadBalancerKeys() {}

    /** @param isMeant whether the file configures Azure, so that a selection is expected */
    static LoadBalancerSelection read(Settings settings, boolean isMeant) {
        List<String> names = settings.find(Keys.LOAD_BALANCERS);
        LoadBalancerSelection tag = tag(settings);
        String holder = "loadBalancerTag";
        if (names != null && !names.isEmpty()) {
            if (tag != null) {
                settings.note(holder + ": not used, " + Keys.LOAD_BALANCERS.name() + " takes precedence");
            }
            return LoadBalancerSelection.named(names);
        }
        if (tag != null) {
            return tag;
        }
        if (isMeant) {
            settings.note("neither " + Keys.LOAD_BALANCERS.name() + " nor " + holder
                    + " is set: every load balancer of the resource group counts as this cluster's");
        }
        return LoadBalancerSelection.all();
    }

    private static @Nullable LoadBalancerSelection tag(Settings settings) {
        if (settings.isSet(Keys.LOAD_BALANCER_TAG_NAME) || settings.isSet(Keys.LOAD_BALANCER_TAG_VALUE)) {
            settings.require(Keys.LOAD_BALANCER_TAG_NAME, "name and value must be set together");
            settings.require(Keys.LOAD_BALANCER_TAG_VALUE, "name and value must be set together");
        }
        String name = settings.find(Keys.LOAD_BALANCER_TAG_NAME);
        String value = settings.find(Keys.LOAD_BALANCER_TAG_VALUE);
        return name == null || value == null ? null : LoadBalancerSelection.tagged(name, value);
    }
}
