package dev.poolkeeper.fake.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {

    @ParameterizedTest
    @CsvSource({
        "*, shop-web, true",
        "*, '', true",
        "'', '', true",
        "'', a, false",
        "shop-*, shop-web, true",
        "*-ipv6, a-ipv6, true",
        "*-ipv6, a-ipv6x, false",
        "sh?p, shop, true",
        "sh?p, shp, false",
        "?, a, true",
        "*e*, edge, true",
        "*e*, shop, false",
        "a*b*c, axxbyyc, true",
        "a*b*c, axxbyy, false",
        "Shop, shop, false",
        "a.c, abc, false",
        "**, x, true",
        "*a*a*a*a*a*a*a*a*b, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, false",
        "[a], a, false",
        "(, (, true"
    })
    void stars_and_question_marks_stand_for_characters(String pattern, String name, boolean matches) {
        assertThat(new Glob(pattern).matches(name)).isEqualTo(matches);
    }
}
