package lab.probe;
public final class Main { public static void main(String[] a) {} }
