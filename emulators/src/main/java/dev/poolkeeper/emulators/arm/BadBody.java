package dev.poolkeeper.emulators.arm;

/** A request's body is not what it must be. */
final class BadBody extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient SentAnswer answer;

    BadBody(SentAnswer answer) {
        super(String.valueOf(answer.body()), null, false, false); // a value on its way to the client: no stack trace
        this.answer = answer;
    }

    SentAnswer answer() {
        return answer;
    }
}
