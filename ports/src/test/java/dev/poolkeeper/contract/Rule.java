package dev.poolkeeper.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The rule of behaviour that a test checks. {@code docs/behaviour.md} is generated from these. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Repeatable(Rule.Several.class)
public @interface Rule {

    /** Sorts the rule and names it: a chapter's letter and numbers, such as {@code D6} or {@code R4.2}. */
    String id();

    /** The rule in one sentence. */
    String says();

    /** Where the rule comes from: design document, contract, GEP, RFC. */
    String source();

    /** How the Go implementation differs, and why we do; empty if it does not. */
    String differs() default "";

    /** Several rules that one test checks. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface Several {
        Rule[] value();
    }
}
