package dev.poolkeeper.emulators.arm;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The requests that clients make before requesting tokens: the endpoints of a cloud and its authority. */
final class Authority {

    private Authority() {}

    /** The metadata for one tenant. */
    static SentAnswer metadata(ReceivedCall call, String tenant) {
        String authority = call.base() + "/" + tenant;
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("token_endpoint", authority + "/oauth2/v2.0/token");
        body.put("authorization_endpoint", authority + "/oauth2/v2.0/authorize");
        body.put("issuer", authority + "/v2.0");
        body.put("jwks_uri", authority + "/discovery/v2.0/keys");
        body.put("tenant_discovery_endpoint", authority + "/v2.0/.well-known/openid-configuration");
        body.put("api-version", "1.1").putArray("metadata");
        return SentAnswer.of(200, body);
    }

    /** No keys, because the tokens are opaque and not signed. */
    static SentAnswer keys() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.putArray("keys");
        return SentAnswer.of(200, body);
    }

    /** The clouds of this endpoint, which is only this one. A list since version 2019-05-01, a single object before. */
    static SentAnswer endpoints(ReceivedCall call) {
        ObjectNode cloud = JsonNodeFactory.instance.objectNode();
        cloud.put("name", "PoolkeeperEmulator").put("resourceManager", call.base());
        ObjectNode authentication = cloud.putObject("authentication");
        authentication.put("loginEndpoint", call.base()).put("tenant", "common").put("identityProvider", "AAD");
        authentication.putArray("audiences").add(call.base());
        return call.apiVersion().compareTo("2019-05-01") < 0
                ? SentAnswer.of(200, cloud)
                : SentAnswer.of(200, JsonNodeFactory.instance.arrayNode().add(cloud));
    }
}
