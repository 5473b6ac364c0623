package dev.poolkeeper.emulators.arm;

/** A request's body is invalid. */
final class BadBody extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient SentAnswer answer;

    BadBody(SentAnswer answer) {
        super(String.valueOf(answer.body()), null, false, false); // used as a return value: no stack trace
        this.answer = answer;
    }

    SentAnswer answer() {
        return answer;
    }
}
